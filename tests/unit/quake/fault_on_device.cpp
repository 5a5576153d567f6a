// Friction on a device: by any seed of the played device the bits of faults that the processor solves, by every law and rule.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {
namespace {

using namespace test;

// An NVIDIA A100's block (CUDA C++ Programming Guide, table of compute capabilities, 8.0) with little memory.
const exec::DeviceLimits gpu_of_tests{"played A100", 1024, 163 << 10, 64 << 20};

// A plane across two rocks and two clusters that slips, under stress that pushes it unevenly.
FieldOfBox box_with_a_plane(int order) {
    FieldOfBox wanted;
    wanted.box.length = {1200.0, 900.0, 800.0};
    wanted.box.cubes = {3, 2, 2};
    wanted.order = order;
    wanted.material = [](const tetra::Point& place) {
        return place[1] < 450.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2600.0, 2.08e10, 1.04e10};
    };
    wanted.cluster = [](const tetra::Point& place) { return place[0] < 600.0 ? 0 : 1; };
    wanted.at_fault = [](const std::array<tetra::Point, 3>& corner) {
        return std::ranges::all_of(corner, [](const auto& place) { return place[1] == 450.0; });
    };
    return wanted;
}

// Numbers with which a law's fault slips, and more of each the farther along.
FaultInput slipping(const LawDescription& law) {
    FaultInput input;
    input.law = law.name;
    for (const LawParameter& number : law.of_fault) input.of_fault.push_back(number.sample);
    input.at = [&law](const FaultSpot& spot) {
        FaultPoint acting;
        acting.traction = {-120e6, 70e6 + 1e3 * spot.place[0], 5e3 * spot.place[2]};
        for (std::size_t i = 0; i < law.at_places.size(); ++i)
            acting.parameter[i] = law.at_places[i].sample * (1.0 + 1e-5 * spot.place[0]);
        acting.nucleation[0] = {{1e5, 2e6, 1e6}, 0.1, 1e-5 * spot.place[2]};
        acting.thermal = {0.02, 4e-4};
        return acting;
    };
    return input;
}

// All that can be seen of a run.
struct SeenAtFaults {
    std::vector<double> states, at_faults, glimpsed, observed;
    long launches = 0;
    bool operator==(const SeenAtFaults& other) const {
        return states == other.states && at_faults == other.at_faults && glimpsed == other.glimpsed &&
               observed == other.observed;
    }
};

template <class Real>
SeenAtFaults run_breaking(const FieldOfBox& wanted, exec::Device& device, bool faults_too) {
    const int mechanisms = wanted.attenuation ? wanted.attenuation->options().mechanisms : 0;
    const auto made = make_field<double>(MPI_COMM_SELF, wanted);
    Wavefield<Real> field(MPI_COMM_SELF, wave_device_kernels<Real>(wanted.order, mechanisms).elements,
                          made.mesh, made.material, made.clusters.step, wanted.rate, {}, nullptr,
                          wanted.attenuation.get(), wanted.fault);
    for (std::int32_t cell = 0; cell < field.cells(); ++cell)
        for (int k = 0; k < 4; ++k)
            for (int q = 0; q < 9; ++q)
                field.coefficient(cell, k, q) =
                    static_cast<Real>(std::sin(3.0 * cell + k + q) * (q < 6 ? 1e6 : 0.1));
    Fault& fault = *field.fault();
    const double duration = field.meeting_seconds();
    const auto at = [](double when) {
        return [when](double from, double to, std::vector<Moment>& moments) {
            if (from <= when && when < to) moments.push_back({0, when});
        };
    };
    SeenAtFaults seen;
    std::vector<std::vector<double>> observed(fault.places().size());
    fault.add_observer(
        {at(0.7 * duration), [&](std::int32_t face, const Moment&, std::span<const double> state) {
             observed[face].assign(state.begin(), state.end());
         }});
    fault.add_probe({1,
                     {0.3, 0.2},
                     at(1.2 * duration),
                     [&](std::int64_t, const FaultGlimpse& glimpse) {
                         seen.glimpsed = {glimpse.all_traction[0], glimpse.all_traction[1],
                                          glimpse.all_rate[0], glimpse.path, glimpse.bears};
                     }},
                    wanted.fault->at(fault.places()[1].spot(fault.places()[1].point({0.3, 0.2}))));
    field.move_to(device, faults_too);
    for (int i = 0; i < 2; ++i) field.advance();
    field.fetch_state();
    for (std::int32_t cell = 0; cell < field.cells(); ++cell)
        for (int k = 0; k < basis_size(wanted.order); ++k)
            for (int q = 0; q < 9; ++q) seen.states.push_back(field.coefficient(cell, k, q));
    for (std::int32_t face = 0; face < std::ssize(fault.places()); ++face) {
        for (int p = 0; p < fault.rule().points(); ++p) {
            for (int which = 0; which < kept_states; ++which)
                seen.at_faults.push_back(fault.state(face, which, p));
            for (int which = 0; which < fault.heat_values(); ++which)
                seen.at_faults.push_back(fault.heat(face, which, p));
        }
        const auto& state = observed[face];
        seen.observed.insert(seen.observed.end(), state.begin(), state.end());
    }
    return seen;
}

template <class Real>
void expect_same_faults(FieldOfBox wanted, const FaultInput& input, unsigned seeds, const std::string& what) {
    wanted.fault = &input;
    const auto host = exec::make_host_device();
    const SeenAtFaults expected = run_breaking<Real>(wanted, *host, false);
    for (unsigned seed = 0; seed < seeds; ++seed) {
        exec::PlayedDevice device(gpu_of_tests, seed);
        EXPECT_TRUE(run_breaking<Real>(wanted, device, true) == expected) << what << ", seed " << seed;
    }
    ASSERT_FALSE(expected.glimpsed.empty()) << what;
    EXPECT_GT(expected.glimpsed[3], 0.0) << what;  // slip
    ASSERT_FALSE(expected.observed.empty()) << what;
}

TEST(FaultOnADevice, HasTheBitsOfTheProcessorByEachLaw) {
    for (const LawDescription& law : friction_laws()) {
        if (law.chooses_series) continue;  // which stays on the processor
        expect_same_faults<double>(box_with_a_plane(3), slipping(law), 2, std::string(law.name));
    }
}

TEST(FaultOnADevice, HasThemOfEachOrderAndPrecision) {
    const LawDescription& law = *find_law("linear-slip-weakening");
    for (int order = lowest_order; order <= highest_order; ++order) {
        // Which hold as many elements as the processor has faces, that it solves for comparison.
        const BatchLayout& layout = wave_device_kernels<double>(order).elements.layout;
        if (layout.lanes % kernel_set().fault.lanes != 0) continue;
        const std::string what = "order " + std::to_string(order);
        expect_same_faults<double>(box_with_a_plane(order), slipping(law), order == 4 ? 5 : 1, what);
        expect_same_faults<float>(box_with_a_plane(order), slipping(law), 1, what + ", float");
    }
}

TEST(FaultOnADevice, HasThemByAllThatFaultsMayBeAskedFor) {
    FaultInput input = slipping(*find_law("linear-slip-weakening"));
    input.points = FacePoints::conical;
    input.pressure = FacePressure::full;
    input.scheme.negative_slip = NegativeSlip::weakens;
    input.of_fault[1] = 0.05;  // slip that slows down heals
    expect_same_faults<double>(box_with_a_plane(4), input, 2, "conical points");
    input.points = FacePoints::symmetric;
    input.nucleation = {{0.0, 0.05, true, true}};
    input.thermal = ThermalNumbers{1e-6, 2.7e6, 1e5};
    input.counts_jump = true;
    expect_same_faults<double>(box_with_a_plane(3), input, 2, "nucleation, heat and jumps");
    for (const char* const name : {"ageing", "fast-weakening"}) {
        input = slipping(*find_law(name));
        input.scheme.evolution = StateEvolution::two_stage;
        expect_same_faults<double>(box_with_a_plane(3), input, 1, std::string(name) + " in two stages");
    }
}

TEST(FaultOnADevice, HasThemInRockThatAttenuates) {
    FieldOfBox wanted = box_with_a_plane(3);
    wanted.attenuation = std::make_shared<const Attenuation>(AttenuationOptions{3, 0.5, 50.0, 5.0});
    wanted.material = [rock = wanted.material, attenuation = wanted.attenuation](const tetra::Point& place) {
        Material material = rock(place);
        material.loss_p = material.loss_s = 0.05;
        return attenuation->unrelaxed(material);
    };
    expect_same_faults<double>(wanted, slipping(*find_law("slip")), 2, "attenuation");
}

// What nobody sees stays there: faults send nothing, and take nothing, from step to step.
TEST(FaultOnADevice, SendsNothingWhereNobodyLooks) {
    const FaultInput input = slipping(*find_law("linear-slip-weakening"));
    FieldOfBox wanted = box_with_a_plane(3);
    wanted.fault = &input;
    const auto made = make_field<double>(MPI_COMM_SELF, wanted);
    exec::PlayedDevice device(gpu_of_tests, 0);
    Wavefield<double> field(MPI_COMM_SELF, wave_device_kernels<double>(3).elements, made.mesh, made.material,
                            made.clusters.step, wanted.rate, {}, nullptr, nullptr, &input);
    field.move_to(device);
    const auto before = device.counts();
    field.advance();
    EXPECT_EQ(device.counts().bytes_out, before.bytes_out);
    EXPECT_EQ(device.counts().bytes_in, before.bytes_in);
    EXPECT_GT(device.counts().launches, before.launches);
}

}  // namespace
}  // namespace groundswell::quake
