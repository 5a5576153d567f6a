// Dimensions of the same length are told apart, in every format, by whoever reads a file and by who continues it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <numeric>
#include <string>
#include <vector>

#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "support/output_launch.hpp"

namespace {

using namespace groundswell::output;

constexpr std::int64_t length = 3, records = 3;

// Variables along each one, each pair and each three of the dimensions a, b and c, in every order, with records and without.
Schema schema() {
    Schema result;
    const std::vector<std::string> names{"a", "b", "c"};
    for (const std::string& name : names) result.dimensions.push_back({name, length});
    result.dimensions.insert(result.dimensions.begin() + 1, {"time", 0, true});
    result.variables.push_back(
        {"time", Type::float64, {"time"}, {{"units", "seconds since 2024-09-03T00:00:00Z"}}});
    const auto add = [&](const std::vector<std::string>& along) {
        std::string name = "of";
        for (const std::string& one : along) name += "_" + one;
        result.variables.push_back({name, Type::float64, along, {}});
        std::vector<std::string> in_time{"time"};
        in_time.insert(in_time.end(), along.begin(), along.end());
        result.variables.push_back({name + "_in_time", Type::float32, in_time, {}});
    };
    for (const std::string& one : names) {
        add({one});
        for (const std::string& other : names) {
            if (other == one) continue;
            add({one, other});
            for (const std::string& last : names)
                if (last != one && last != other) add({one, other, last});
        }
    }
    return result;
}

template <class Body>
void for_each_variable(const Schema& schema, bool in_time, const Body& body) {
    for (const Variable& variable : schema.variables)
        if (variable.name != "time" && schema.is_record(variable) == in_time) body(variable);
}

void append(File& file, const Schema& whole, std::int64_t record) {
    std::vector<std::vector<float>> numbers;
    std::vector<Values> values;
    for_each_variable(whole, true, [&](const Variable& variable) {
        numbers.emplace_back(static_cast<std::size_t>(whole.rows(variable) * whole.row_width(variable)));
        std::iota(numbers.back().begin(), numbers.back().end(), static_cast<float>(100 * record));
    });
    std::size_t next = 0;
    for_each_variable(whole, true, [&](const Variable& variable) {
        values.push_back(replicated<float>(variable.name, std::span<const float>(numbers[next++])));
    });
    file.append_record(60.0 * static_cast<double>(record), values);
}

class EqualLengths : public testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Formats, EqualLengths,
                         testing::Values(Storage{Format::cdf5, 0}, Storage{Format::netcdf4, 0},
                                         Storage{Format::netcdf4, 4}),
                         [](const auto& each) {
                             return std::string(each.param.format == Format::cdf5 ? "cdf5" : "netcdf4") +
                                    (each.param.compression > 0 ? "small" : "");
                         });

TEST_P(EqualLengths, AreToldApartByReadersAndAfterARestart) {
    const dataset::Folder folder;
    const Schema whole = schema();
    const std::string path = folder / "equal.nc";
    const FileOptions how{"serial", false, {}, GetParam()};
    {
        File file = File::create(MPI_COMM_WORLD, path, whole, how);
        for_each_variable(whole, false, [&](const Variable& variable) {
            std::vector<double> numbers(
                static_cast<std::size_t>(whole.rows(variable) * whole.row_width(variable)));
            std::iota(numbers.begin(), numbers.end(), 0.0);
            file.write_fixed(replicated<double>(variable.name, std::span<const double>(numbers)));
        });
        for (std::int64_t record = 0; record < records; ++record) append(file, whole, record);
        file.close();
    }
    const auto check = [&] {
        const Reader reader(path);
        EXPECT_EQ(reader.records(), records);
        for (const Variable& variable : whole.variables)
            EXPECT_EQ(reader.schema().find(variable.name)->dimensions, variable.dimensions) << variable.name;
    };
    check();
    {
        File file = File::reopen(MPI_COMM_WORLD, path, whole, 60.0, how);
        append(file, whole, records - 1);
        file.close();
    }
    check();
}

}  // namespace
