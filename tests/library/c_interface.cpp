// What the C functions promise beyond the example: every transport brings the owners' bits; a wrong call or
// bad input is answered with a status and a message on all ranks, never by an exception or a hang.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "groundswell/c/halo.h"
#include "groundswell/c/input.h"
#include "groundswell/c/messages.h"
#include "groundswell/c/output.h"

namespace {

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}

/// Ids 0 … 7·ranks-1 in a ring, dealt out like cards; each rank needs both neighbours of its ids.
class Ring {
public:
    Ring() {
        const int ranks = size_of(MPI_COMM_WORLD);
        const std::int64_t ids = 7 * ranks;
        for (std::int64_t id = rank_of(MPI_COMM_WORLD); id < ids; id += ranks) {
            owned.push_back(id);
            needed.push_back((id + 1) % ids);
            needed.push_back((id + ids - 1) % ids);
        }
        EXPECT_EQ(gs_halo_plan_create(MPI_COMM_WORLD, std::ssize(owned), owned.data(), std::ssize(needed),
                                      needed.data(), &plan),
                  GS_DONE);
    }
    ~Ring() { gs_halo_plan_destroy(&plan); }

    std::size_t size() const { return owned.size() + needed.size(); }
    std::int64_t id(std::size_t local) const {
        return local < owned.size() ? owned[local] : needed[local - owned.size()];
    }

    std::vector<std::int64_t> owned, needed;
    gs_halo_plan* plan = nullptr;
};

TEST(CHalo, EveryTransportBringsTwoFieldsAtOnce) {
    const Ring ring;
    constexpr std::size_t stride = 5;  // floats; three of them are values
    for (int number = 0; number < gs_halo_transport_count(); ++number) {
        const char* const name = gs_halo_transport_name(number);
        int available = -1;
        ASSERT_EQ(gs_halo_transport_available(ring.plan, name, &available), GS_DONE) << name;
        if (available == 0) {
            EXPECT_STRNE(gs_error_message(), "") << name;
            continue;
        }
        gs_halo_memory* memory = nullptr;
        void* room = nullptr;
        ASSERT_EQ(gs_halo_memory_create(ring.plan, sizeof(std::int64_t), &memory, &room), GS_DONE);
        auto* const numbers = static_cast<std::int64_t*>(room);
        std::vector<float> padded(ring.size() * stride, -1.0F);
        const gs_halo_field fields[] = {{numbers, sizeof(std::int64_t), 0},
                                        {padded.data(), 3 * sizeof(float), stride * sizeof(float)}};
        gs_halo* halo = nullptr;
        ASSERT_EQ(gs_halo_create(ring.plan, name, 2, fields, &halo), GS_DONE) << gs_error_message();
        for (std::int64_t round = 0; round < 3; ++round) {
            for (std::size_t i = 0; i < ring.owned.size(); ++i) {
                numbers[i] = 1000 * ring.id(i) + round;
                for (std::size_t v = 0; v < 3; ++v)
                    padded[i * stride + v] = static_cast<float>(ring.id(i) + round);
            }
            ASSERT_EQ(gs_halo_start(halo, 2, fields), GS_DONE) << gs_error_message();
            ASSERT_EQ(gs_halo_poll(halo), GS_DONE);
            ASSERT_EQ(gs_halo_finish(halo), GS_DONE) << gs_error_message();
            for (std::size_t i = 0; i < ring.size(); ++i) {
                EXPECT_EQ(numbers[i], 1000 * ring.id(i) + round) << name;
                for (std::size_t v = 0; v < stride; ++v) {
                    const float expected = v < 3 ? static_cast<float>(ring.id(i) + round) : -1.0F;
                    EXPECT_EQ(padded[i * stride + v], expected) << name;
                }
            }
        }
        gs_halo_cost cost{};
        EXPECT_EQ(gs_halo_cost_get(halo, &cost), GS_DONE);
        EXPECT_EQ(cost.exchanges, 3) << name;
        EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);
        EXPECT_EQ(halo, nullptr);
        EXPECT_EQ(gs_halo_memory_destroy(&memory), GS_DONE);
    }
    EXPECT_EQ(gs_halo_transport_name(-1), nullptr);
    EXPECT_EQ(gs_halo_transport_name(gs_halo_transport_count()), nullptr);
}

// Even and odd ids are exchanged by plans of their own, over one array: first the owned ids, then what is needed
// of the even ones, then of the odd ones.
TEST(CHalo, SeveralPlansShareOneArray) {
    const Ring ring;
    std::vector<std::int64_t> needed[2], ids = ring.owned;
    std::vector<std::int32_t> index[2];
    for (const std::int64_t parity : {0, 1}) {
        for (const std::int64_t id : ring.needed) {
            if (id % 2 != parity) continue;
            needed[parity].push_back(id);
            index[parity].push_back(static_cast<std::int32_t>(ids.size()));
            ids.push_back(id);
        }
    }
    gs_halo_plan* plans[2] = {};
    for (const int parity : {0, 1}) {
        ASSERT_EQ(gs_halo_plan_create_at(MPI_COMM_WORLD, std::ssize(ring.owned), ring.owned.data(),
                                         std::ssize(needed[parity]), needed[parity].data(),
                                         index[parity].data(), &plans[parity]),
                  GS_DONE);
    }
    gs_halo_memory* memory = nullptr;
    void* room = nullptr;
    ASSERT_EQ(gs_halo_memory_create_for(2, plans, sizeof(double), &memory, &room), GS_DONE);
    auto* const values = static_cast<double*>(room);
    for (std::size_t i = 0; i < ring.owned.size(); ++i) values[i] = static_cast<double>(ids[i]) + 0.5;
    const gs_halo_field field{values, sizeof(double), 0};
    for (const int parity : {1, 0}) {
        gs_halo* halo = nullptr;
        ASSERT_EQ(gs_halo_create(plans[parity], "shared", 1, &field, &halo), GS_DONE) << gs_error_message();
        ASSERT_EQ(gs_halo_start(halo, 1, &field), GS_DONE) << gs_error_message();
        ASSERT_EQ(gs_halo_finish(halo), GS_DONE) << gs_error_message();
        for (std::size_t i = ring.owned.size(); i < ids.size(); ++i) {
            const bool brought = parity == 0 || ids[i] % 2 == 1;
            EXPECT_EQ(values[i], brought ? static_cast<double>(ids[i]) + 0.5 : 0.0);
        }
        gs_halo_cost cost{};
        EXPECT_EQ(gs_halo_cost_get(halo, &cost), GS_DONE);
        if (size_of(MPI_COMM_WORLD) > 1) {
            EXPECT_EQ(cost.pack, 0.0) << "read where it lies";
        }
        EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);
    }
    EXPECT_EQ(gs_halo_memory_destroy(&memory), GS_DONE);
    for (gs_halo_plan*& plan : plans) gs_halo_plan_destroy(&plan);
    EXPECT_EQ(gs_halo_memory_create_for(0, nullptr, 8, &memory, &room), GS_DEFECT);
}

// Each id gets a contribution from both sides, numbered by the id that it comes from: sums that depend on their
// order are those of one rank.
TEST(CHalo, ContributionsAreAddedInTheirOrder) {
    const Ring ring;
    const std::int64_t ids = 7 * size_of(MPI_COMM_WORLD);
    const auto gives = [](std::int64_t from) {
        return from % 3 == 0 ? 1e16 : 1.0 + static_cast<double>(from);
    };
    std::vector<std::int64_t> order;
    std::vector<double> values(ring.owned.size(), 0.5);
    for (std::size_t q = 0; q < ring.needed.size(); ++q) {
        const std::int64_t from = ring.owned[q / 2];
        order.push_back(from);
        values.push_back(gives(from));
    }
    const gs_halo_field field{values.data(), sizeof(double), 0};
    const gs_type type = GS_FLOAT64;
    const gs_halo_exchange exchange{ring.plan, 1, &field, &type, order.data()};
    gs_halo* halo = nullptr;
    EXPECT_EQ(gs_halo_create_set(1, &exchange, "neighbor", GS_OUT_OF_STEP, &halo), GS_REFUSED);
    ASSERT_EQ(gs_halo_create_set(1, &exchange, "posted", GS_OUT_OF_STEP, &halo), GS_DONE)
        << gs_error_message();
    ASSERT_EQ(gs_halo_start(halo, 1, &field), GS_DONE) << gs_error_message();
    for (int ready = 0; ready == 0;) ASSERT_EQ(gs_halo_ready(halo, &ready), GS_DONE);
    ASSERT_EQ(gs_halo_finish(halo), GS_DONE) << gs_error_message();
    for (std::size_t i = 0; i < ring.owned.size(); ++i) {
        const std::int64_t left = (ring.owned[i] + ids - 1) % ids, right = (ring.owned[i] + 1) % ids;
        EXPECT_EQ(values[i], 0.5 + gives(std::min(left, right)) + gives(std::max(left, right)));
    }
    EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);
    const gs_type text = GS_CHARACTER;
    const gs_halo_exchange wrong{ring.plan, 1, &field, &text, nullptr};
    EXPECT_EQ(gs_halo_create_set(1, &wrong, "posted", GS_IN_STEP, &halo), GS_DEFECT);
}

/// What a model hears while an exchange is made whose transport is chosen, which is told at level info.
std::string heard_of_a_choice(gs_message_level level) {
    const auto keep = [](gs_message_level said_at, const char* text, void* context) {
        EXPECT_EQ(said_at, GS_MESSAGE_INFO);
        static_cast<std::string*>(context)->append(text);
    };
    const Ring ring;
    std::vector<double> values(ring.size());
    const gs_halo_field field{values.data(), sizeof(double), 0};
    gs_halo* halo = nullptr;
    std::string heard;
    EXPECT_EQ(gs_messages_level(level), GS_DONE);
    EXPECT_EQ(gs_messages_to(keep, &heard), GS_DONE);
    EXPECT_EQ(gs_halo_create(ring.plan, "auto", 1, &field, &halo), GS_DONE) << gs_error_message();
    EXPECT_EQ(gs_messages_to(nullptr, nullptr), GS_DONE);
    EXPECT_EQ(gs_messages_level(GS_MESSAGE_WARNING), GS_DONE);
    EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);
    return heard;
}

TEST(CMessages, GoWhereTheModelWantsThem) {
    testing::internal::CaptureStderr();
    const std::string all = heard_of_a_choice(GS_MESSAGE_INFO), grave = heard_of_a_choice(GS_MESSAGE_WARNING);
    const std::string on_standard_error = testing::internal::GetCapturedStderr();
    EXPECT_EQ(all.find("halo transport") != std::string::npos, rank_of(MPI_COMM_WORLD) == 0) << all;
    EXPECT_EQ(all.find('\n'), std::string::npos) << "a message is one line, without its end";
    EXPECT_EQ(grave, "");
    EXPECT_EQ(on_standard_error, "");
    EXPECT_EQ(gs_messages_level(static_cast<gs_message_level>(7)), GS_DEFECT);
}

/// One rank speaks, all know.
void expect_refused_everywhere(int status, const std::string& word) {
    EXPECT_EQ(status, GS_REFUSED);
    EXPECT_NE(std::string(gs_error_message()).find(word), std::string::npos) << gs_error_message();
    int speaking = gs_error_speaks();
    MPI_Allreduce(MPI_IN_PLACE, &speaking, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(speaking, 1);
}

TEST(CHalo, WhatNobodyOwnsAndUnknownTransportsAreRefusedOnAllRanks) {
    const std::int64_t mine = rank_of(MPI_COMM_WORLD);
    const std::int64_t missing = 4711;
    gs_halo_plan* plan = nullptr;
    const bool asks = mine == 0;
    expect_refused_everywhere(
        gs_halo_plan_create(MPI_COMM_WORLD, 1, &mine, asks ? 1 : 0, asks ? &missing : nullptr, &plan),
        "4711");
    EXPECT_EQ(plan, nullptr);

    const Ring ring;
    gs_halo* halo = nullptr;
    const gs_halo_field field{nullptr, 8, 0};
    expect_refused_everywhere(gs_halo_create(ring.plan, "post", 1, &field, &halo), "posted");
    EXPECT_EQ(halo, nullptr);
}

TEST(CHalo, WrongCallsAreDefectsOfTheCaller) {
    const Ring ring;
    std::vector<double> values(ring.size());
    const gs_halo_field field{values.data(), sizeof(double), 0}, other{values.data(), 4, 0};
    gs_halo* halo = nullptr;
    EXPECT_EQ(gs_halo_start(nullptr, 1, &field), GS_DEFECT);
    EXPECT_NE(std::string(gs_error_message()).find("gs_halo_start"), std::string::npos);
    EXPECT_EQ(gs_halo_create(ring.plan, nullptr, 1, &field, &halo), GS_DEFECT);
    EXPECT_EQ(gs_halo_create(ring.plan, "posted", 0, nullptr, &halo), GS_DEFECT);
    ASSERT_EQ(gs_halo_create(ring.plan, "posted", 1, &field, &halo), GS_DONE);
    EXPECT_EQ(gs_halo_start(halo, 1, &other), GS_DEFECT);
    EXPECT_EQ(gs_halo_start(halo, 1, &field), GS_DONE);
    EXPECT_EQ(gs_halo_start(halo, 1, &field), GS_DEFECT);  // started twice
    EXPECT_EQ(gs_halo_finish(halo), GS_DONE);
    EXPECT_EQ(gs_halo_finish(halo), GS_DEFECT);
    EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);
    EXPECT_EQ(gs_halo_destroy(&halo), GS_DONE);  // null
    EXPECT_EQ(gs_halo_transport(nullptr), nullptr);
}

class COutput : public testing::Test {
protected:
    COutput() {
        EXPECT_EQ(gs_schema_create(&schema), GS_DONE);
        const char* const dimensions[] = {"time", "cell"};
        EXPECT_EQ(gs_schema_dimension(schema, "time", GS_UNLIMITED), GS_DONE);
        EXPECT_EQ(gs_schema_dimension(schema, "cell", size_of(MPI_COMM_WORLD)), GS_DONE);
        EXPECT_EQ(gs_schema_variable(schema, "time", GS_FLOAT64, 1, dimensions), GS_DONE);
        EXPECT_EQ(gs_schema_variable(schema, "rank", GS_INT32, 2, dimensions), GS_DONE);
    }
    ~COutput() override {
        gs_schema_destroy(&schema);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_of(MPI_COMM_WORLD) == 0) std::remove(path.c_str());
    }

    const std::string path = "c_interface_" + std::to_string(size_of(MPI_COMM_WORLD)) + ".nc";
    gs_schema* schema = nullptr;
    gs_output* output = nullptr;
    gs_file* file = nullptr;
};

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
