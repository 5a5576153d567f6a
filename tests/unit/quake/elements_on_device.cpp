// Rock on a device: the same bits by any seed of the played device and by the processor as a device, which are those of
// the processor's kernels where these round after each product.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/elements_of_box.hpp"
#include "support/quake/on_device.hpp"

namespace groundswell::quake {
namespace {

using namespace test;

// Rock of two kinds in a box with a free surface, 60 elements: some batches are not full.
BoxElements box_of(const Material& one, const Material& other) {
    tetra::BoxOptions options;
    options.length = {1000.0, 1100.0, 900.0};
    options.cubes = {2, 3, 2};
    options.jitter = 0.15;
    return elements_of(options, [&](const tetra::Point& place) { return place[0] < 500.0 ? one : other; });
}

// Stresses of MPa and velocities of m/s, as waves in rock have them.
template <class Real>
Elements<Real> waves(const Kernels<Real>& kernels, const BoxElements& box) {
    Elements<Real> elements = one_block<Real>(kernels, box);
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
std::vector<Real> on(exec::Device& device, int order, const BoxElements& box) {
    Elements<Real> elements = waves(wave_device_kernels<Real>(order).elements, box);
    ElementsOnDevice<Real> there(elements, device, device.make_stream());
    const auto step = static_cast<Real>(longest_step(box.element, order));
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
std::vector<Real> on_processor(const Kernels<Real>& kernels, const BoxElements& box) {
    Elements<Real> elements = waves(kernels, box);
    const auto step = static_cast<Real>(longest_step(box.element, kernels.layout.order));
    for (int i = 0; i < steps_taken; ++i) {
        elements.predict(0, step);
        elements.correct(0);
    }
    return state_of(elements);
}

// Rounding of products that one of both leaves out grows little in two steps.
constexpr double few_roundings = 16.0;

template <class Real>
void expect_same_bits(int order, const BoxElements& box, unsigned seeds) {
    const auto host = exec::make_host_device();
    const std::vector<Real> expected = on<Real>(*host, order, box);
    for (unsigned seed = 0; seed < seeds; ++seed) {
        exec::PlayedDevice device(played, seed);
        const std::vector<Real> result = on<Real>(device, order, box);
        ASSERT_EQ(std::memcmp(result.data(), expected.data(), result.size() * sizeof(Real)), 0) << order;
        EXPECT_EQ(device.counts().launches, 2 * steps_taken);
    }
    // x86-64-v2 has no instruction that multiplies and adds with one rounding.
    const std::vector<Real> lowest =
        on_processor(kernels_of_lowest_level().in<Real>().of_waves(order, 0), box);
    if (exec::compiled_instruction_sets().front() == exec::InstructionSet::v2) {
        EXPECT_EQ(std::memcmp(lowest.data(), expected.data(), lowest.size() * sizeof(Real)), 0) << order;
    }
    EXPECT_LT(apart(lowest, expected), few_roundings * std::numeric_limits<Real>::epsilon()) << order;
    EXPECT_LT(apart(on_processor(wave_kernels<Real>(order), box), expected),
              few_roundings * std::numeric_limits<Real>::epsilon())
        << order;
}

void expect_same_bits_at_all_orders(const BoxElements& box) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        expect_same_bits<double>(order, box, order == 4 ? 10 : 1);
        expect_same_bits<float>(order, box, order == 4 ? 10 : 1);
    }
}

TEST(ElementsOnADevice, HaveTheBitsOfTheProcessorBySeeds) {
    expect_same_bits_at_all_orders(box_of({2700.0, 3.24e10, 3.24e10}, {2600.0, 2.08e10, 1.04e10}));
}

TEST(ElementsOnADevice, HaveTheBitsOfTheProcessorWhereRockIsAnisotropic) {
    expect_same_bits_at_all_orders(box_of(any_rock(1), any_rock(2)));
}

}  // namespace
}  // namespace groundswell::quake
