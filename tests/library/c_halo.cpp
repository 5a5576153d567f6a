#include "c_interface.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/c/halo.h"
#include "groundswell/c/messages.h"

namespace {

using namespace c_interface;

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
    EXPECT_EQ(gs_messages_level(7), GS_DEFECT);
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

}  // namespace
