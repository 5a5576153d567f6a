#include "c_interface.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "groundswell/c/input.h"
#include "groundswell/c/messages.h"
#include "groundswell/c/output.h"

namespace {

using namespace c_interface;

/// What receivers give: many samples of a station at once, of depths at which some stand.
class CSamples : public COutput {
protected:
    static constexpr int samples = 50, depths = 3;

    CSamples() {
        const char* const dimensions[] = {"time", "depth", "cell"};
        EXPECT_EQ(gs_schema_dimension(schema, "depth", depths), GS_DONE);
        EXPECT_EQ(gs_schema_variable(schema, "velocity", GS_FLOAT32, 3, dimensions), GS_DONE);
        EXPECT_EQ(gs_schema_distributed(schema, "velocity", "cell"), GS_DONE);
        EXPECT_EQ(gs_schema_numbers(schema, "velocity", "place", GS_FLOAT32, 2, place), GS_DONE);
        EXPECT_EQ(gs_schema_text(schema, nullptr, "title", "samples"), GS_DONE);
        const std::int64_t row = size_of(MPI_COMM_WORLD) - 1 - rank_of(MPI_COMM_WORLD);
        EXPECT_EQ(gs_rows_create(MPI_COMM_WORLD, size_of(MPI_COMM_WORLD), 1, &row, &rows), GS_DONE);
    }
    ~CSamples() override { gs_rows_destroy(&rows); }

    static float velocity(int sample, int depth, int rank) {
        return static_cast<float>(1000 * sample + 100 * depth + rank);
    }
    void write(const char* options) {
        ASSERT_EQ(gs_output_create(MPI_COMM_WORLD, options, nullptr, &output), GS_DONE);
        ASSERT_EQ(gs_file_create(output, path.c_str(), schema, 1, &file), GS_DONE) << gs_error_message();
        const std::vector<std::int32_t> ranks(samples, rank_of(MPI_COMM_WORLD));
        std::vector<float> velocities;
        std::vector<double> times;
        for (int sample = 0; sample < samples; ++sample) {
            times.push_back(0.001 * sample);
            for (int depth = 0; depth < depths; ++depth)
                velocities.push_back(velocity(sample, depth, rank_of(MPI_COMM_WORLD)));
        }
        EXPECT_EQ(gs_file_put(file, "rank", GS_INT32, samples, ranks.data(), rows), GS_DONE);
        EXPECT_EQ(gs_file_put(file, "velocity", GS_FLOAT32, samples * depths, velocities.data(), rows),
                  GS_DONE);
        EXPECT_EQ(gs_file_end_records(file, samples, times.data()), GS_DONE) << gs_error_message();
        EXPECT_EQ(gs_file_end_records(file, 0, nullptr), GS_DONE);
        EXPECT_EQ(gs_output_finish(&output), GS_DONE) << gs_error_message();
    }

    const float place[2] = {1.5F, -2.0F};
    gs_rows* rows = nullptr;
};

TEST_F(CSamples, AreWrittenAtOnceAndReadBack) {
    for (const char* options : {"mode = serial, checksums = true", "format = netcdf4"}) {
        write(options);
        gs_input* input = nullptr;
        ASSERT_EQ(gs_input_open(MPI_COMM_WORLD, path.c_str(), &input), GS_DONE) << gs_error_message();
        std::int64_t records = 0, length = 0;
        EXPECT_EQ(gs_input_records(input, &records), GS_DONE);
        EXPECT_EQ(records, samples);
        EXPECT_EQ(gs_input_length(input, "depth", &length), GS_DONE);
        EXPECT_EQ(length, depths);
        for (int sample : {0, 17, samples - 1}) {
            double mine[depths] = {};
            ASSERT_EQ(gs_input_read(input, "velocity", GS_FLOAT64, sample, depths, mine, rows, "cell"),
                      GS_DONE)
                << gs_error_message();
            for (int depth = 0; depth < depths; ++depth)
                EXPECT_EQ(mine[depth], velocity(sample, depth, rank_of(MPI_COMM_WORLD)));
            double time = 0.0;
            EXPECT_EQ(gs_input_read(input, "time", GS_FLOAT64, sample, 1, &time, nullptr, nullptr), GS_DONE);
            EXPECT_EQ(time, 0.001 * sample);
        }
        std::vector<std::int32_t> all(static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
        EXPECT_EQ(
            gs_input_read(input, "rank", GS_INT32, 3, size_of(MPI_COMM_WORLD), all.data(), nullptr, nullptr),
            GS_DONE);
        for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int>(all.size() - 1 - i));
        char title[16] = {};
        double numbers[2] = {};
        EXPECT_EQ(gs_input_text(input, nullptr, "title", sizeof title, title), GS_DONE);
        EXPECT_STREQ(title, "samples");
        EXPECT_EQ(gs_input_numbers(input, "velocity", "place", 2, numbers), GS_DONE);
        EXPECT_EQ(numbers[1], -2.0);

        EXPECT_EQ(gs_input_text(input, nullptr, "title", 7, title), GS_REFUSED);
        EXPECT_EQ(gs_input_text(input, nullptr, "subtitle", sizeof title, title), GS_REFUSED);
        EXPECT_EQ(gs_input_numbers(input, "velocity", "place", 3, numbers), GS_REFUSED);
        EXPECT_EQ(gs_input_length(input, "width", &length), GS_REFUSED);
        double mine[depths] = {};
        expect_refused_everywhere(
            gs_input_read(input, "pressure", GS_FLOAT64, 0, depths, mine, rows, nullptr), "pressure");
        expect_refused_everywhere(
            gs_input_read(input, "velocity", GS_FLOAT64, samples, depths, mine, rows, "cell"), "record 50");
        EXPECT_EQ(gs_input_read(input, "velocity", GS_FLOAT64, 0, 1, mine, rows, "cell"), GS_DEFECT);
        EXPECT_EQ(gs_input_close(&input), GS_DONE);
        EXPECT_EQ(input, nullptr);
    }
    gs_input* input = nullptr;
    expect_refused_everywhere(gs_input_open(MPI_COMM_WORLD, "nowhere.nc", &input), "nowhere.nc");
    EXPECT_EQ(input, nullptr);
    EXPECT_EQ(gs_schema_distributed(schema, "pressure", "cell"), GS_REFUSED);
}

}  // namespace
