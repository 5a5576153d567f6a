#include "groundswell/output/check/comparison.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "support/output_dataset.hpp"

namespace {

using namespace groundswell::output;

/// Four faces on the equator, two records of hs.
struct Small {
    std::vector<double> lon{100.0, 110.0, 120.0, 130.0};
    std::vector<std::vector<float>> hs{{1.0f, 2.0f, 3.0f, 4.0f}, {5.0f, 6.0f, 7.0f, 8.0f}};
    std::vector<std::int64_t> cell{1, 2, 3, std::int64_t{1} << 60};
    std::string history = "first", title = "small", faces = "nFace";
    bool with_cell = true;

    void write(const std::string& path) const {
        Schema schema;
        schema.dimensions = {{"time", 0, true}, {faces, 4}};
        schema.variables = {
            {"time", Type::float64, {"time"}, {{"units", "seconds since 2024-09-03T00:00:00Z"}}},
            {"mesh_face_lon", Type::float64, {faces}, {}},
            {"mesh_face_lat", Type::float64, {faces}, {}},
            {"hs", Type::float32, {"time", faces}, {{"units", "m"}}}};
        if (with_cell) schema.variables.push_back({"mesh_cell", Type::int64, {faces}, {}});
        schema.attributes = {{"title", title}, {"history", history}};
        File file = File::create(MPI_COMM_SELF, path, schema, {"auto", true, {}});
        const std::vector<double> lat(4, -5.0);
        file.write_fixed(replicated<double>("mesh_face_lon", lon));
        file.write_fixed(replicated<double>("mesh_face_lat", lat));
        if (with_cell) file.write_fixed(replicated<std::int64_t>("mesh_cell", cell));
        for (std::size_t record = 0; record < hs.size(); ++record) {
            const std::vector<Values> values{replicated<float>("hs", hs[record])};
            file.append_record(600.0 * static_cast<double>(record), values);
        }
        file.close();
    }
};

class Compare : public testing::Test {
protected:
    Comparison result(const Tolerance& tolerance = {}) {
        a_.write(folder_ / "a.nc");
        b_.write(folder_ / "b.nc");
        return compare(Reader(folder_ / "a.nc"), Reader(folder_ / "b.nc"), tolerance,
                       {{"lon", "lat"}, {"mesh_face_lon", "mesh_face_lat"}});
    }
    static const VariableComparison& of(const Comparison& comparison, const std::string& name) {
        for (const auto& each : comparison.variables) {
            if (each.name == name) return each;
        }
        throw std::runtime_error("no variable " + name);
    }
    dataset::Folder folder_;
    Small a_, b_;
};

TEST_F(Compare, SameContentIsIdenticalWhateverTheHistory) {
    b_.history = "second";
    const Comparison comparison = result();
    EXPECT_TRUE(comparison.identical);
    EXPECT_EQ(comparison.variables.size(), 5u);
    EXPECT_FALSE(of(comparison, "hs").worst.has_value());
}

TEST_F(Compare, NamesTheWorstPlaceAndTime) {
    b_.hs[0][1] = 2.5f;
    b_.hs[1][2] = 9.0f;
    const Comparison comparison = result();
    EXPECT_FALSE(comparison.identical);
    const VariableComparison& hs = of(comparison, "hs");
    EXPECT_FALSE(hs.equal);
    EXPECT_EQ(hs.max_abs, 2.0);
    EXPECT_DOUBLE_EQ(hs.max_rel, 2.0 / 9.0);
    ASSERT_TRUE(hs.worst.has_value());
    EXPECT_EQ(hs.worst->time, 600.0);
    EXPECT_EQ(hs.worst->index, std::vector<std::int64_t>{2});
    EXPECT_EQ(hs.worst->lon, 120.0);
    EXPECT_EQ(hs.worst->lat, -5.0);
    EXPECT_EQ(hs.worst->a, 7.0);
    EXPECT_EQ(hs.worst->b, 9.0);
    EXPECT_TRUE(of(comparison, "time").equal);
}

// Against the tolerance 10 % the change from 1 to 1.5 weighs more than that from 8 to 10.
TEST_F(Compare, HoldsToTheTolerance) {
    b_.hs[0][0] = 1.5f;
    b_.hs[1][3] = 10.0f;
    EXPECT_TRUE(result({0.34, 0.0}).identical);
    EXPECT_TRUE(result({0.0, 2.0}).identical);
    EXPECT_TRUE(result({0.2, 0.2}).identical);
    const Comparison comparison = result({0.1, 0.0});
    EXPECT_FALSE(comparison.identical);
    EXPECT_EQ(of(comparison, "hs").worst->a, 1.0);
    EXPECT_EQ(of(comparison, "hs").max_abs, 2.0);
}

TEST_F(Compare, NanEqualsNanAndNothingElse) {
    a_.hs[1][0] = b_.hs[1][0] = std::nanf("");
    EXPECT_TRUE(result().identical);
    b_.hs[1][0] = 5.0f;
    const Comparison comparison = result({1e9, 1e9});
    EXPECT_FALSE(comparison.identical);
    EXPECT_TRUE(std::isinf(of(comparison, "hs").max_abs));
    EXPECT_EQ(of(comparison, "hs").worst->index, std::vector<std::int64_t>{0});
}

// 2^60 and 2^60 + 1 are one number as doubles.
TEST_F(Compare, SeesTheLastDigitOfLongIntegers) {
    b_.cell[3] += 1;
    EXPECT_FALSE(result().identical);
}

// A dimension of another name is a difference; that the values differ too must not be hidden by it.
TEST_F(Compare, LooksAtValuesWhereOnlyNamesOfDimensionsDiffer) {
    b_.faces = "cells";
    Comparison comparison = result();
    EXPECT_FALSE(comparison.identical);
    EXPECT_TRUE(of(comparison, "hs").equal);
    const auto names = std::ranges::find_if(comparison.differences, [](const std::string& each) {
        return each.find("names of dimensions of hs: (time=2, nFace=4) in A, (time=2, cells=4) in B") !=
               std::string::npos;
    });
    EXPECT_NE(names, comparison.differences.end());
    b_.hs[1][2] = 7.5f;
    comparison = result();
    EXPECT_FALSE(of(comparison, "hs").equal);
    EXPECT_DOUBLE_EQ(of(comparison, "hs").max_abs, 0.5);
}

TEST_F(Compare, SeesRecordsVariablesAndAttributes) {
    b_.hs.pop_back();
    EXPECT_EQ(result().differences, std::vector<std::string>{"records: 2 in A, 1 in B"});
    b_ = Small();
    b_.with_cell = false;
    EXPECT_EQ(result().only_in_a, std::vector<std::string>{"mesh_cell"});
    b_ = Small();
    b_.title = "other";
    EXPECT_EQ(result().differences,
              std::vector<std::string>{"attribute :title: \"small\" in A, \"other\" in B"});
    EXPECT_FALSE(result().identical);
}

}  // namespace
