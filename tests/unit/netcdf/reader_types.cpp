// What a variable holds is checked where it is read: of text, strings and other types no number is made.
#include <gtest/gtest.h>
#include <netcdf.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::netcdf {
namespace {

class ReaderTypes : public testing::Test {
protected:
    void SetUp() override {
        path_ = testing::TempDir() + "/reader-types.nc";
        ASSERT_EQ(nc_create(path_.c_str(), NC_CLOBBER | NC_NETCDF4, &file_), NC_NOERR);
        nc_def_dim(file_, "row", 3, &dimension_);
    }
    void TearDown() override { std::filesystem::remove(path_); }

    int define(const char* name, nc_type type) {
        int variable = 0;
        EXPECT_EQ(nc_def_var(file_, name, type, 1, &dimension_, &variable), NC_NOERR);
        return variable;
    }
    void put(const char* name, nc_type type, const std::vector<double>& values) {
        EXPECT_EQ(nc_put_var_double(file_, define(name, type), values.data()), NC_NOERR);
    }
    // The values, or what the refusal says.
    template <class T>
    std::string read(const std::string& name) {
        const Reader reader(path_);
        std::vector<T> values(3);
        try {
            reader.read(*reader.find(name), {0}, {3}, values.data());
        } catch (const base::Refusal& refusal) {
            const std::string message = refusal.what();
            return message.substr(message.find(name));
        }
        std::string text;
        for (const T value : values) text += std::to_string(static_cast<long long>(value)) + " ";
        return text;
    }

    std::string path_;
    int file_ = -1, dimension_ = -1;
};

TEST_F(ReaderTypes, NumbersOfAnyTypeAreReadAsNumbers) {
    const std::vector<nc_type> types{NC_BYTE, NC_SHORT, NC_INT,    NC_INT64, NC_UBYTE,
                                     NC_UINT, NC_FLOAT, NC_DOUBLE, NC_UINT64};
    for (const nc_type type : types) put(("of" + std::to_string(type)).c_str(), type, {1, 2, 100});
    nc_close(file_);
    for (const nc_type type : types) {
        const std::string name = "of" + std::to_string(type);
        EXPECT_EQ(read<std::int64_t>(name), "1 2 100 ");
        EXPECT_EQ(read<std::int32_t>(name), "1 2 100 ");
        EXPECT_EQ(read<float>(name), "1 2 100 ");
        EXPECT_EQ(read<double>(name), "1 2 100 ");
        EXPECT_EQ(read<char>(name), name + " = numbers: expected text");
    }
}

TEST_F(ReaderTypes, WholeNumbersAreNotMadeOfOthers) {
    put("nan", NC_DOUBLE, {1, std::nan(""), 3});
    put("half", NC_FLOAT, {1, 2, 2.5});
    put("large", NC_DOUBLE, {1, 3e9, 3});
    put("larger", NC_DOUBLE, {1, 1e19, 3});
    nc_close(file_);
    EXPECT_EQ(read<std::int64_t>("nan"), "nan = nan: expected whole numbers");
    EXPECT_EQ(read<std::int32_t>("half"), "half = 2.5: expected whole numbers");
    EXPECT_EQ(read<std::int64_t>("large"), "1 3000000000 3 ");
    EXPECT_EQ(read<std::int32_t>("large"), "large = 3000000000: expected whole numbers");
    EXPECT_EQ(read<std::int64_t>("larger"), "larger = 1e+19: expected whole numbers");
}

TEST_F(ReaderTypes, OfTextStringsAndTypesOfAFileNoNumberIsMade) {
    nc_put_var_text(file_, define("text", NC_CHAR), "abc");
    const char* strings[] = {"1", "2", "3"};
    nc_put_var_string(file_, define("strings", NC_STRING), strings);
    nc_type opaque = 0, list = 0, pair = 0, choice = 0;
    nc_def_opaque(file_, 8, "eight", &opaque);
    nc_def_vlen(file_, "list", NC_INT, &list);
    nc_def_compound(file_, 8, "pair", &pair);
    nc_insert_compound(file_, pair, "first", 0, NC_DOUBLE);
    nc_def_enum(file_, NC_BYTE, "choice", &choice);
    const signed char one = 1;
    nc_insert_enum(file_, choice, "one", &one);
    define("bytes", opaque);
    define("lists", list);
    define("pairs", pair);
    define("choices", choice);
    nc_close(file_);
    EXPECT_EQ(read<std::int64_t>("text"), "text = text: expected numbers");
    EXPECT_EQ(read<double>("text"), "text = text: expected numbers");
    EXPECT_EQ(read<char>("text"), "97 98 99 ");
    for (const std::string name : {"strings", "bytes", "lists", "pairs", "choices"}) {
        const std::string told = name + " = strings, or a type that the file defines: expected ";
        EXPECT_EQ(read<std::int64_t>(name), told + "numbers");
        EXPECT_EQ(read<std::int32_t>(name), told + "numbers");
        EXPECT_EQ(read<float>(name), told + "numbers");
        EXPECT_EQ(read<double>(name), told + "numbers");
        EXPECT_EQ(read<char>(name), told + "text");
    }
}

}  // namespace
}  // namespace groundswell::netcdf
