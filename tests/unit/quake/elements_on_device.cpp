// Rock and water on a device: the same bits by any seed of the played device and by the processor as a device, which are those of
// the processor's kernels where these round after each product.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/kernel_levels.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {

// Kernels of all levels of instructions that there are.
#define DECLARE_KERNELS(level) extern "C" const KernelSet* groundswell_quake_kernels_##level();
GROUNDSWELL_KERNEL_LEVELS(DECLARE_KERNELS)
#undef DECLARE_KERNELS

namespace {

using namespace test;

const KernelSet& kernels_of_lowest_level() {
#define ENTRY(level) &groundswell_quake_kernels_##level,
    static constexpr const KernelSet* (*entries[])() = {GROUNDSWELL_KERNEL_LEVELS(ENTRY)};
#undef ENTRY
    return *entries[0]();
}

// An NVIDIA A100's block (CUDA C++ Programming Guide, table of compute capabilities, 8.0) with little memory.
const exec::DeviceLimits played{"played A100", 1024, 163 << 10, 64 << 20};

// Rock of two kinds in a box with a free surface, 60 elements: some batches are not full.
const BoxElements& box() {
    static const BoxElements elements = [] {
        tetra::BoxOptions options;
        options.length = {1000.0, 1100.0, 900.0};
        options.cubes = {2, 3, 2};
        options.jitter = 0.15;
        return elements_of(options, [](const tetra::Point& place) {
            return place[0] < 500.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2600.0, 2.08e10, 1.04e10};
        });
    }();
    return elements;
}

// Stresses of MPa and velocities of m/s, as waves in rock have them.
template <class Real>
Elements<Real> waves(const Kernels<Real>& kernels) {
    Elements<Real> elements = one_block<Real>(kernels, box());
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    for (std::int32_t e = 0; e < elements.size(); ++e)
        for (int k = 0; k < kernels.layout.basis; ++k)
            for (int q = 0; q < 9; ++q)
                elements.coefficient(e, k, q) = static_cast<Real>(between(generator) * (q < 6 ? 1e7 : 1.0));
    return elements;
}

template <class Real>
std::vector<Real> state_of(const Elements<Real>& elements) {
    std::vector<Real> all;
    for (std::int32_t e = 0; e < elements.size(); ++e)
        for (int k = 0; k < elements.layout().basis; ++k)
            for (int q = 0; q < 9; ++q) all.push_back(elements.coefficient(e, k, q));
    return all;
}

constexpr int steps_taken = 2;

template <class Real>
std::vector<Real> on(exec::Device& device, int order) {
    Elements<Real> elements = waves(wave_device_kernels<Real>(order).elements);
    ElementsOnDevice<Real> there(elements, device, device.make_stream());
    const auto step = static_cast<Real>(longest_step(box().element, order));
    for (int i = 0; i < steps_taken; ++i) {
        there.predict(elements.batches_of(0), step);
        there.correct(elements.batches_of(0), 0);
    }
    std::vector<std::int32_t> all(elements.places().batches());
    std::iota(all.begin(), all.end(), 0);
    elements.bring(all);
    return state_of(elements);
}

template <class Real>
std::vector<Real> on_processor(const Kernels<Real>& kernels) {
    Elements<Real> elements = waves(kernels);
    const auto step = static_cast<Real>(longest_step(box().element, kernels.layout.order));
    for (int i = 0; i < steps_taken; ++i) {
        elements.predict(0, step);
        elements.correct(0);
    }
    return state_of(elements);
}

// The largest difference as a part of the largest value, of stresses or velocities.
template <class Real>
double apart(const std::vector<Real>& a, const std::vector<Real>& b) {
    double most[2] = {}, largest[2] = {};
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int kind = i % 9 / 6;
        most[kind] = std::max(most[kind], std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        largest[kind] = std::max(largest[kind], std::abs(static_cast<double>(b[i])));
    }
    return std::max(most[0] / largest[0], most[1] / largest[1]);
}

// Rounding of products that one of both leaves out grows little in two steps.
constexpr double few_roundings = 16.0;

template <class Real>
void expect_same_bits(int order, unsigned seeds) {
    const auto host = exec::make_host_device();
    const std::vector<Real> expected = on<Real>(*host, order);
    for (unsigned seed = 0; seed < seeds; ++seed) {
        exec::PlayedDevice device(played, seed);
        const std::vector<Real> result = on<Real>(device, order);
        ASSERT_EQ(std::memcmp(result.data(), expected.data(), result.size() * sizeof(Real)), 0) << order;
        EXPECT_EQ(device.counts().launches, 2 * steps_taken);
    }
    // x86-64-v2 has no instruction that multiplies and adds with one rounding.
    const std::vector<Real> lowest = on_processor(kernels_of_lowest_level().in<Real>().of_waves(order, 0));
    if (exec::compiled_instruction_sets().front() == exec::InstructionSet::v2) {
        EXPECT_EQ(std::memcmp(lowest.data(), expected.data(), lowest.size() * sizeof(Real)), 0) << order;
    }
    EXPECT_LT(apart(lowest, expected), few_roundings * std::numeric_limits<Real>::epsilon()) << order;
    EXPECT_LT(apart(on_processor(wave_kernels<Real>(order)), expected),
              few_roundings * std::numeric_limits<Real>::epsilon())
        << order;
}

TEST(ElementsOnADevice, HaveTheBitsOfTheProcessorBySeeds) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        expect_same_bits<double>(order, order == 4 ? 10 : 1);
        expect_same_bits<float>(order, order == 4 ? 10 : 1);
    }
}

// Clusters of three rates in the same box, a source in one of each, and who looks at places and at everything.
struct Seen {
    std::vector<double> states, memory, at_place, everywhere, work, slip, eta;
    bool operator==(const Seen&) const = default;
};

struct FieldSetting {
    int rate;
    bool breaks;  // a plane along x
    int mechanisms;
    bool sea = false;  // water above, with a surface under gravity
};

class FieldOnADevice : public testing::TestWithParam<FieldSetting> {
protected:
    FieldOnADevice() {
        wanted_.box.length = {2000.0, 900.0, 1000.0};
        wanted_.box.cubes = {6, 2, 2};
        wanted_.box.jitter = GetParam().breaks ? 0.0 : 0.15;
        wanted_.material = [](const tetra::Point& place) {
            return place[1] < 450.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2600.0, 2.08e10, 1.04e10};
        };
        if (GetParam().mechanisms > 0) {
            wanted_.attenuation = std::make_shared<const Attenuation>(
                AttenuationOptions{GetParam().mechanisms, 0.5, 50.0, 5.0});
            wanted_.material = [rock = wanted_.material,
                                attenuation = wanted_.attenuation](const tetra::Point& place) {
                Material material = rock(place);
                material.loss_p = material.loss_s = 0.05;
                return attenuation->unrelaxed(material);
            };
        }
        wanted_.cluster = [](const tetra::Point& place) { return static_cast<int>(place[0] / 700.0); };
        wanted_.rate = GetParam().rate;
        if (GetParam().sea) put_under_a_sea(wanted_, 500.0);
        fault_.law = "linear-slip-weakening";
        fault_.of_fault = {0.0, 0.0};
        fault_.at = [](const FaultSpot&) {
            return FaultPoint{{-120e6, 70e6, 10e6}, {}, {0.5, 0.4, 0.4, 0.0, 1e30}};
        };
        if (GetParam().breaks)
            wanted_.at_fault = [](const std::array<tetra::Point, 3>& corner) {
                return std::ranges::all_of(corner, [](const auto& place) { return place[1] == 450.0; });
            };
        made_ = make_field<double>(MPI_COMM_SELF, wanted_);
    }

    // By these kernels, on the device if there is one.
    Seen run(const Kernels<double>& kernels, exec::Device* device) const {
        Wavefield<double> field(MPI_COMM_SELF, kernels, made_.mesh, made_.material, made_.clusters.step,
                                wanted_.rate, {}, nullptr, wanted_.attenuation.get(),
                                GetParam().breaks ? &fault_ : nullptr);
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (int q = 0; q < 9; ++q)
                field.coefficient(cell, 0, q) = std::sin(3.0 * cell + q) * (q < 6 ? 1e6 : 0.1);
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (int q = 1; q < 6 && made_.material[cell].is_liquid(); ++q)
                field.coefficient(cell, 0, q) = q < 3 ? field.coefficient(cell, 0, 0) : 0.0;
        Seen seen;
        const double duration = field.meeting_seconds();
        const auto every = static_cast<std::int32_t>(field.cells() / 5);
        std::vector<std::vector<double>> at_place(field.cells());
        for (std::int32_t cell = every; cell < field.cells(); cell += every) {
            PointSource source;
            source.moment = {3e12, -2e12, 1e12, 4e12, -5e12, 2e12};
            source.rate = gaussian(0.3 * duration * (1 + cell % 2), 0.2 * duration);
            field.add_source(cell, {0.2, 0.3, 0.1}, source);
            field.add_probe(cell - 1, {0.1, 0.2, 0.4}, {[&at_place, cell](const Glimpse& glimpse) {
                                at_place[cell].insert(at_place[cell].end(), glimpse.derivatives.begin(),
                                                      glimpse.derivatives.end());
                            }});
        }
        std::vector<std::vector<double>> everywhere(field.cells());
        field.add_observer({[&](double from, double to, std::vector<Moment>& moments) {
                                if (from <= 0.6 * duration && 0.6 * duration < to)
                                    moments.push_back({0, 0.6 * duration});
                            },
                            [&](std::int32_t element, std::int64_t, std::span<const double> state) {
                                everywhere[field.cell_of(element)].assign(state.begin(), state.end());
                            }});
        if (device != nullptr) field.move_to(*device);
        for (int i = 0; i < 2; ++i) field.advance();
        field.fetch_state();
        for (const auto& values : at_place)
            seen.at_place.insert(seen.at_place.end(), values.begin(), values.end());
        for (const auto& values : everywhere)
            seen.everywhere.insert(seen.everywhere.end(), values.begin(), values.end());
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (int k = 0; k < kernels.layout.basis; ++k)
                for (int q = 0; q < 9; ++q) seen.states.push_back(field.coefficient(cell, k, q));
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (std::size_t i = 0; i < field.remembered(); ++i)
                seen.memory.push_back(field.memory_of(cell)[i * field.lanes()]);
        for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
            if (const std::int32_t face = field.sea().face_of(cell); face >= 0) {
                const auto eta = std::as_const(field.sea()).eta(face);
                seen.eta.insert(seen.eta.end(), eta.begin(), eta.end());
            }
        }
        seen.work = field.work_of_sources();
        for (std::size_t face = 0; field.fault() != nullptr && face < field.fault()->places().size(); ++face)
            for (int p = 0; p < field.fault()->rule().points(); ++p)
                seen.slip.push_back(field.fault()->state(static_cast<std::int32_t>(face), slip_path, p));
        return seen;
    }

    FaultInput fault_;
    FieldOfBox wanted_;
    MadeField<double> made_;
};

TEST_P(FieldOnADevice, StepsInClustersAsOnTheProcessor) {
    ASSERT_EQ(made_.clusters.cells.size(), 3u);
    for (const std::int64_t cells : made_.clusters.cells) ASSERT_GT(cells, 0);
    const Kernels<double>& there = wave_device_kernels<double>(wanted_.order, GetParam().mechanisms).elements;
    const auto host = exec::make_host_device();
    const Seen expected = run(there, host.get());
    for (unsigned seed = 0; seed < 3; ++seed) {
        exec::PlayedDevice device(played, seed);
        EXPECT_EQ(run(there, &device), expected) << seed;
    }
    // Packs of faces are as wide as those of elements, so faults go with the level in use.
    const bool unfused =
        !GetParam().breaks && exec::compiled_instruction_sets().front() == exec::InstructionSet::v2;
    const auto& kernels = unfused ? kernels_of_lowest_level() : kernel_set();
    const Seen here = run(kernels.in<double>().of_waves(wanted_.order, GetParam().mechanisms), nullptr);
    if (unfused) {
        EXPECT_EQ(here, expected);
    }
    EXPECT_LT(apart(here.states, expected.states), 1e-12);
    // What is seen is not nothing.
    for (const auto* values : {&here.at_place, &here.everywhere, &here.work}) {
        ASSERT_FALSE(values->empty());
        EXPECT_NE(std::ranges::count(*values, 0.0), std::ssize(*values));
    }
    EXPECT_EQ(std::ranges::any_of(here.slip, [](double slip) { return slip > 0.0; }), GetParam().breaks);
    EXPECT_EQ(std::ranges::any_of(here.eta, [](double eta) { return eta != 0.0; }), GetParam().sea);
}

INSTANTIATE_TEST_SUITE_P(settings, FieldOnADevice,
                         testing::Values(FieldSetting{2, false, 0}, FieldSetting{3, false, 0},
                                         FieldSetting{2, true, 0}, FieldSetting{2, false, 3},
                                         FieldSetting{3, false, 2}, FieldSetting{2, false, 0, true},
                                         FieldSetting{3, false, 2, true}),
                         [](const auto& setting) {
                             return "rate_" + std::to_string(setting.param.rate) +
                                    (setting.param.breaks ? "_with_a_fault" : "") +
                                    (setting.param.mechanisms > 0 ? "_attenuating" : "") +
                                    (setting.param.sea ? "_under_a_sea" : "");
                         });

}  // namespace
}  // namespace groundswell::quake
