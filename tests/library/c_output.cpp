#include "c_interface.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>

#include "groundswell/c/messages.h"
#include "groundswell/c/output.h"

namespace {

using namespace c_interface;

TEST_F(COutput, ContinuesAFileButNeverReplacesOneUnasked) {
    const int32_t mine = rank_of(MPI_COMM_WORLD);
    const std::int64_t row = mine;
    gs_rows* rows = nullptr;
    ASSERT_EQ(gs_output_create(MPI_COMM_WORLD, "mode = serial, checksums = true", nullptr, &output), GS_DONE)
        << gs_error_message();
    ASSERT_EQ(gs_rows_create(MPI_COMM_WORLD, size_of(MPI_COMM_WORLD), 1, &row, &rows), GS_DONE);
    ASSERT_EQ(gs_file_create(output, path.c_str(), schema, 1, &file), GS_DONE) << gs_error_message();
    for (int record = 0; record < 3; ++record) {
        EXPECT_EQ(gs_file_put(file, "rank", GS_INT32, 1, &mine, rows), GS_DONE);
        EXPECT_EQ(gs_file_end_record(file, record), GS_DONE) << gs_error_message();
    }
    EXPECT_EQ(gs_file_close(&file), GS_DONE);
    EXPECT_EQ(file, nullptr);
    expect_refused_everywhere(gs_file_create(output, path.c_str(), schema, 0, &file), path);
    EXPECT_EQ(file, nullptr);
    gs_output_finish(&output);
    EXPECT_EQ(output, nullptr);

    ASSERT_EQ(gs_output_create(MPI_COMM_WORLD, "mode = serial, checksums = true", nullptr, &output), GS_DONE);
    ASSERT_EQ(gs_file_reopen(output, path.c_str(), schema, 1.0, &file), GS_DONE) << gs_error_message();
    EXPECT_EQ(gs_file_put(file, "rank", GS_INT32, 1, &mine, rows), GS_DONE);
    EXPECT_EQ(gs_file_end_record(file, 5.0), GS_DONE) << gs_error_message();
    EXPECT_EQ(gs_output_settle(output), GS_DONE);
    gs_output_cost cost{};
    EXPECT_EQ(gs_output_cost_get(output, &cost), GS_DONE);
    EXPECT_EQ(cost.records, 1);
    EXPECT_EQ(gs_output_finish(&output), GS_DONE);
    EXPECT_EQ(gs_rows_destroy(&rows), GS_DONE);
}

TEST_F(COutput, OptionsThatCannotBeAreRefusedOnAllRanks) {
    const auto refused = [&](const char* options, const char* word) {
        expect_refused_everywhere(gs_output_create(MPI_COMM_WORLD, options, nullptr, &output), word);
        EXPECT_EQ(output, nullptr);
    };
    refused("mod = serial", "mode");
    refused("mode = telepathy", "serial");
    refused("mode = auto, mode = serial", "once");
    refused("checksums = perhaps", "true or false");
    refused("buffer_bytes = -3", "number");
    refused("direct", "KEY = VALUE");
    refused("mode = servers", "servers");
    gs_servers* servers = nullptr;
    MPI_Comm compute = MPI_COMM_NULL;
    expect_refused_everywhere(gs_servers_split(MPI_COMM_WORLD, "99", &servers, &compute), "99");
}

TEST_F(COutput, WrongCallsAreDefectsOfTheCaller) {
    const float value = 1.0F;
    EXPECT_EQ(gs_schema_variable(schema, "x", 17, 0, nullptr), GS_DEFECT);
    EXPECT_EQ(gs_schema_numbers(schema, "rank", "text", GS_CHARACTER, 1, &value), GS_DEFECT);
    EXPECT_EQ(gs_schema_numbers(schema, "rnk", "scale", GS_FLOAT32, 1, &value), GS_REFUSED);
    EXPECT_EQ(gs_file_put(nullptr, "rank", GS_INT32, 1, &value, nullptr), GS_DEFECT);
    ASSERT_EQ(gs_output_create(MPI_COMM_WORLD, nullptr, nullptr, &output), GS_DONE);
    EXPECT_EQ(gs_file_create(output, path.c_str(), nullptr, 1, &file), GS_DEFECT);
    EXPECT_EQ(gs_output_finish(&output), GS_DONE);
    EXPECT_EQ(gs_output_finish(&output), GS_DONE);  // null
}

}  // namespace
