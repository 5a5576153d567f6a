// Files of the classic netCDF formats that end too early: the library reads zeros there without a word.
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "support/mesh/write_mesh.hpp"

namespace {

using namespace groundswell;

class CutShort : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path); }

    /// A fixed variable of 3 shorts and two record variables of 2 numbers each, 4 records.
    void write(int format) const {
        int file = 0, dimensions[2], three = 0, fixed = 0, first = 0, second = 0;
        ASSERT_EQ(nc_create(path.c_str(), NC_CLOBBER | format, &file), NC_NOERR);
        nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]);
        nc_def_dim(file, "two", 2, &dimensions[1]);
        nc_def_dim(file, "three", 3, &three);
        nc_put_att_text(file, NC_GLOBAL, "title", 5, "A sea");
        nc_def_var(file, "fixed", NC_SHORT, 1, &three, &fixed);
        nc_def_var(file, "first", NC_DOUBLE, 2, dimensions, &first);
        nc_put_att_text(file, first, "units", 3, "m/s");
        nc_def_var(file, "second", NC_FLOAT, 2, dimensions, &second);
        nc_enddef(file);
        const std::vector<double> values(8, 7.0);
        const std::size_t begin[] = {0, 0}, count[] = {4, 2};
        nc_put_var_double(file, fixed, values.data());
        nc_put_vara_double(file, first, begin, count, values.data());
        nc_put_vara_double(file, second, begin, count, values.data());
        ASSERT_EQ(nc_close(file), NC_NOERR);
    }
    std::string refusal(const std::string& variable) const {
        try {
            netcdf::StoredExtent(path).require(variable);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return {};
    }

    std::string path =
        (std::filesystem::temp_directory_path() / ("gs_short_" + std::to_string(getpid()) + ".nc")).string();
};

TEST_F(CutShort, IsRefusedInEveryClassicFormatForTheVariablesThatItEndsIn) {
    for (const int format : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
        write(format);
        const std::uintmax_t whole = std::filesystem::file_size(path);
        for (const char* name : {"fixed", "first", "second", "none"}) EXPECT_EQ(refusal(name), "") << format;
        std::filesystem::resize_file(path, whole - 4);
        EXPECT_EQ(refusal("fixed"), "") << format;
        EXPECT_EQ(refusal("first"), "") << format;
        EXPECT_EQ(refusal("second"), path + ": second = cut short at byte " + std::to_string(whole - 4) +
                                         " of the file: expected values up to byte " + std::to_string(whole) +
                                         ", as the header of the file says")
            << format;
        std::filesystem::resize_file(path, whole - 1);
        EXPECT_NE(refusal("second"), "") << format;
        std::filesystem::resize_file(path, whole - 4 * 24);  // without the padding behind three shorts
        EXPECT_EQ(refusal("fixed"), "") << format;
        std::filesystem::resize_file(path, whole - 4 * 24 - 2);
        EXPECT_EQ(refusal("fixed"), "") << format;
        std::filesystem::resize_file(path, whole - 4 * 24 - 4);
        for (const char* name : {"fixed", "first", "second"}) EXPECT_NE(refusal(name), "") << format << name;
    }
}

TEST_F(CutShort, NumbersThatNoFileCanHoldAreDamage) {
    write(NC_64BIT_DATA);
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(4);
    stream.write("\x7f\xff\xff\xff\xff\xff\xff\x00", 8);  // the record count
    stream.close();
    EXPECT_NE(refusal("second").find("damaged"), std::string::npos) << refusal("second");
}

TEST_F(CutShort, NamesThatNoLibraryHasRoomForAreDamage) {
    const auto number = [](std::size_t value) {  // of 8 bytes
        return std::string(6, '\0') + static_cast<char>(value / 256) + static_cast<char>(value % 256);
    };
    const auto header = [&](std::size_t length) {  // of one dimension of 2, without attributes and variables
        return std::string("CDF\x05") + number(0) + std::string("\0\0\0\x0a", 4) + number(1) +
               number(length) + std::string(length, 'n') + number(2) + std::string(24, '\0');
    };
    for (const std::size_t length : {std::size_t{256}, std::size_t{260}, std::size_t{2000}}) {
        std::ofstream(path, std::ios::binary) << header(length);
        EXPECT_EQ(refusal("second").find("damaged") == std::string::npos, length == 256) << length;
    }
}

TEST_F(CutShort, FilesOfOtherKindsPass) {
    write(NC_NETCDF4);
    EXPECT_EQ(refusal("second"), "");
    std::filesystem::remove(path);
    EXPECT_EQ(refusal("second"), "");
}

TEST_F(CutShort, AMeshIsNotTakenForLandWhereItsDepthsEnd) {
    voronoi::write_mesh(voronoi::icosahedral(2, 4000.0), path);
    // Depths last in the file, as a tool leaves them that adds them to a mesh.
    int file = 0, cells = 0, old = 0, added = 0;
    ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &file), NC_NOERR);
    nc_redef(file);
    nc_inq_dimid(file, "nCells", &cells);
    nc_inq_varid(file, "bottomDepth", &old);
    nc_rename_var(file, old, "depth_of_before");
    nc_def_var(file, "bottomDepth", NC_DOUBLE, 1, &cells, &added);
    nc_enddef(file);
    nc_put_var_double(file, added, std::vector<double>(42, 4000.0).data());
    ASSERT_EQ(nc_close(file), NC_NOERR);
    ASSERT_EQ(voronoi::read_mesh(path).depth.back(), 4000.0);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
    try {
        voronoi::read_mesh(path);
        FAIL() << "not refused";
    } catch (const base::Refusal& error) {
        EXPECT_NE(std::string(error.what()).find("bottomDepth = cut short"), std::string::npos)
            << error.what();
    }
}

}  // namespace
