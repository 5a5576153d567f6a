// Faults that cross from rank to rank on devices: by each route of messages the bits of one rank, and nothing of a side goes through the host
// where messages do not.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <map>
#include <string>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/quake/on_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;
using halo::Route;

// Faces everywhere, in two rocks, so that parts of any shape have them between each other.
FieldOfBox broken_box(const FaultInput& fault) {
    FieldOfBox wanted;
    wanted.box.cubes = {3, 3, 2};
    wanted.box.length = {1000.0, 900.0, 800.0};
    wanted.box.jitter = 0.1;
    wanted.material = [](const tetra::Point& at) {
        return at[1] < 450.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2000.0, 2.0e9, 1.0e9};
    };
    wanted.at_fault = [](const std::array<tetra::Point, 3>& corner) {
        double sum = 0.0;
        for (const auto& place : corner) sum += std::abs(place[0]) + std::abs(place[1]) + std::abs(place[2]);
        return std::fmod(sum, 3.0) < 1.0;
    };
    wanted.fault = &fault;
    return wanted;
}

FaultInput weak_fault() {
    FaultInput input;
    input.law = "linear-slip-weakening";
    input.of_fault = {0.0, 0.0};
    input.at = [](const FaultSpot&) {
        return FaultPoint{{-120e6, 70e6, 10e6}, {}, {0.5, 0.5, 0.4, 1e5, 1e30}};
    };
    return input;
}

// On a device of this rank's own, whose order of work is of its own too.
void play(FieldOfBox& wanted, unsigned seed) {
    const auto rank = static_cast<unsigned>(parallel::rank_of(MPI_COMM_WORLD));
    wanted.device = [seed = seed + 100 * rank] { return std::make_unique<exec::PlayedDevice>(played, seed); };
}

// Sides at faults that this rank hears of from others.
std::int64_t heard_of(const MadeField<double>& made) {
    std::int64_t sides = 0;
    for (std::size_t c = 0; c < made.clusters.cells.size(); ++c)
        sides += std::ssize(made.field->fault()->crossing_sides(static_cast<int>(c)).needed);
    return sides;
}

using States = std::map<std::int64_t, std::vector<double>>;  // by the row of the element

States after_two_meetings(MPI_Comm comm, const FieldOfBox& wanted) {
    const auto made = make_field<double>(comm, wanted);
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        for (int q = 0; q < 9; ++q)
            made.field->coefficient(cell, 0, q) =
                std::sin(static_cast<double>(made.mesh.row[cell] + q)) * (q < 6 ? 1e6 : 0.1);
    }
    if (made.device) made.field->move_to(*made.device, wanted.faults_on_device);
    for (int i = 0; i < 2; ++i) made.field->advance();
    made.field->fetch_state();
    States all;
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        auto& values = all[made.mesh.row[cell]];
        for (int k = 0; k < basis_size(wanted.order); ++k) {
            for (int q = 0; q < 9; ++q) values.push_back(made.field->coefficient(cell, k, q));
        }
    }
    EXPECT_GT(made.clusters.cells.size(), 1U);
    const std::int64_t heard = parallel::sum(comm, heard_of(made));
    EXPECT_EQ(heard > 0, parallel::size_of(comm) > 1);
    return all;
}

class FaultBetweenDevices : public testing::TestWithParam<Route> {};

TEST_P(FaultBetweenDevices, HasTheBitsOfOneRank) {
    const FaultInput weak = weak_fault();
    FieldOfBox wanted = broken_box(weak);
    wanted.device = exec::make_host_device;
    const States alone = after_two_meetings(MPI_COMM_SELF, wanted);
    wanted.gpu = GetParam();
    for (const unsigned seed : {1U, 2U}) {
        play(wanted, seed);
        const States all = after_two_meetings(MPI_COMM_WORLD, wanted);
        for (const auto& [row, values] : all) ASSERT_EQ(values, alone.at(row)) << row;
    }
    // Where the processor solves faults their sides are exchanged there, beside those of elements on the device.
    wanted.faults_on_device = false;
    const States all = after_two_meetings(MPI_COMM_WORLD, wanted);
    for (const auto& [row, values] : all) ASSERT_EQ(values, alone.at(row)) << row;
}

TEST_P(FaultBetweenDevices, CrossesToTheHostInMessagesAlone) {
    const FaultInput weak = weak_fault();
    FieldOfBox wanted = broken_box(weak);
    wanted.gpu = GetParam();
    play(wanted, 3);
    const auto made = make_field<double>(MPI_COMM_WORLD, wanted);
    const auto& device = dynamic_cast<const exec::PlayedDevice&>(*made.device);
    const exec::DeviceCounts before = device.counts();
    made.field->advance();
    const auto all = [](std::size_t mine) {
        return parallel::sum(MPI_COMM_WORLD, static_cast<std::int64_t>(mine));
    };
    const std::int64_t out = all(device.counts().bytes_out - before.bytes_out),
                       in = all(device.counts().bytes_in - before.bytes_in);
    const auto report = made.field->exchange_report();
    ASSERT_EQ(report.has_value(), parallel::size_of(MPI_COMM_WORLD) > 1);
    if (report && GetParam() == Route::staged) {
        EXPECT_EQ(out / report->count, report->bytes);
        EXPECT_EQ(in, out);
        EXPECT_GT(out, 0);
    } else {
        EXPECT_EQ(out, 0);
        EXPECT_EQ(in, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Routes, FaultBetweenDevices,
                         testing::Values(Route::memory, Route::mpi, Route::staged),
                         [](const auto& test) { return std::string(halo::name(test.param)); });

}  // namespace
