// Probes on a device: by any seed of the played device what the processor evaluates, in all that elements may be made of; and nothing else
// comes back.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/quake/device/probes/probes_on_device.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/elements_of_box.hpp"
#include "support/quake/on_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {
namespace {

using namespace test;

const Material soft_rock{2600.0, 2.08e10, 1.04e10}, hard_rock{2700.0, 3.24e10, 3.24e10},
    still_water{1000.0, 2.25e9, 0.0};

// Two kinds beside each other, 72 elements.
BoxElements box_for_probes(const Material& one, const Material& other,
                           const Attenuation* attenuation = nullptr) {
    tetra::BoxOptions options;
    options.length = {1000.0, 1100.0, 900.0};
    options.cubes = {2, 3, 2};
    options.jitter = 0.15;
    BoxElements box =
        elements_of(options, [&](const tetra::Point& place) { return place[0] < 500.0 ? one : other; });
    for (Element& element : box.element)
        if (attenuation != nullptr) element.mechanisms = attenuation->mechanisms_of(element.material);
    return box;
}

template <class Real>
Elements<Real> waves_for_probes(const Kernels<Real>& kernels, const BoxElements& box) {
    Elements<Real> elements = one_block<Real>(kernels, box);
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    for (std::int32_t e = 0; e < elements.size(); ++e) {
        for (int k = 0; k < kernels.layout.basis; ++k)
            for (int q = 0; q < 9; ++q) {
                const bool is_pressure = box.element[e].material.is_liquid() && q < 6;
                if (!is_pressure || q == 0)
                    elements.coefficient(e, k, q) =
                        static_cast<Real>(between(generator) * (q < 6 ? 1e7 : 1.0));
            }
        for (std::size_t i = 0; i < elements.remembered(); ++i)
            elements.memory_of(e)[i * static_cast<std::size_t>(kernels.layout.lanes)] =
                static_cast<Real>(1e-4 * between(generator));
    }
    return elements;
}

// [probe] values, and behind them slopes; of a probe that wants nothing none. On the device, or by the processor.
using Glimpsed = std::vector<std::vector<double>>;

template <class Real>
Glimpsed glimpses(const Kernels<Real>& kernels, const BoxElements& box, exec::Device* device) {
    Elements<Real> elements = waves_for_probes(kernels, box);
    Samplers<Real> samplers(1);
    Glimpsed seen;
    std::mt19937_64 generator(5);
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    // Two in some elements, none in others, from the last to the first; every third has a gradient.
    const std::int32_t count = 2 * (elements.size() / 3);
    seen.resize(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
        std::vector<std::vector<double>> basis(i % 3 == 0 ? 4 : 1);
        for (auto& values : basis)
            for (int k = 0; k < kernels.layout.basis; ++k) values.push_back(between(generator));
        Probe probe{[&seen, i](const Glimpse& glimpse) {
                        auto& own = seen[i];
                        own.assign(glimpse.derivatives.begin(), glimpse.derivatives.end());
                        own.insert(own.end(), glimpse.slopes.begin(), glimpse.slopes.end());
                    },
                    [i](double, double) { return i % 5 != 0; }};
        samplers.add(elements, 0, elements.size() - 1 - 3 * (i / 2), std::move(basis), std::move(probe));
    }
    std::optional<ElementsOnDevice<Real>> there;
    std::optional<ProbesOnDevice<Real>> probes;
    if (device != nullptr) {
        there.emplace(elements, *device, device->make_stream());
        probes.emplace(samplers, *there, nullptr);
        // The memory of the processor is not looked at.
        for (std::int32_t e = 0; e < elements.size(); ++e) elements.coefficient(e, 0, 0) = Real(-1);
    }
    samplers.show(elements, 0, 0, 0.0, 1.0);
    return seen;
}

template <class Real>
void expect_same_glimpses(int order, int mechanisms, const BoxElements& box, unsigned seeds) {
    const Kernels<Real>& there = wave_device_kernels<Real>(order, mechanisms).elements;
    const auto host = exec::make_host_device();
    const Glimpsed expected = glimpses<Real>(there, box, host.get());
    for (unsigned seed = 0; seed < seeds; ++seed) {
        exec::PlayedDevice device(played, seed);
        EXPECT_EQ(glimpses<Real>(there, box, &device), expected) << order << ", seed " << seed;
        EXPECT_GT(device.counts().launches, 0);
    }
    // By the functions that the processor evaluates with, of derivatives in the device's batches and in those of its own kernels.
    EXPECT_EQ(glimpses<Real>(there, box, nullptr), expected) << order;
    if (exec::compiled_instruction_sets().front() == exec::InstructionSet::v2) {
        EXPECT_EQ(
            glimpses<Real>(kernels_of_lowest_level().in<Real>().of_waves(order, mechanisms), box, nullptr),
            expected)
            << order;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const int vectors = i % 5 == 0 ? 0 : i % 3 == 0 ? 4 : 1;
        ASSERT_EQ(std::ssize(expected[i]), vectors * order * 9) << i;
        EXPECT_TRUE(vectors == 0 || std::ranges::any_of(expected[i], [](double v) { return v != 0.0; })) << i;
    }
}

void expect_same_glimpses_at_all_orders(const BoxElements& box, int mechanisms = 0) {
    for (int order = lowest_order; order <= highest_order; ++order) {
        expect_same_glimpses<double>(order, mechanisms, box, order == 4 ? 5 : 1);
        expect_same_glimpses<float>(order, mechanisms, box, order == 4 ? 5 : 1);
    }
}

TEST(ProbesOnADevice, SeeWhatTheProcessorEvaluatesInRock) {
    expect_same_glimpses_at_all_orders(box_for_probes(soft_rock, hard_rock));
}

TEST(ProbesOnADevice, SeeItInAnisotropicRock) {
    expect_same_glimpses_at_all_orders(box_for_probes(any_rock(1), any_rock(2)));
}

TEST(ProbesOnADevice, SeeItInWaterOverRock) {
    expect_same_glimpses_at_all_orders(box_for_probes(still_water, hard_rock));
}

TEST(ProbesOnADevice, SeeItInRockThatAttenuates) {
    const Attenuation three(AttenuationOptions{3, 0.5, 50.0, 5.0});
    const auto lossy = [&](Material material) {
        material.loss_p = material.loss_s = 0.05;
        return three.unrelaxed(material);
    };
    expect_same_glimpses_at_all_orders(box_for_probes(lossy(soft_rock), lossy(hard_rock), &three), 3);
}

TEST(ProbesOnADevice, SeeItInWaterBesideRockThatAttenuates) {
    const Attenuation most(AttenuationOptions{Viscoelastic::most_mechanisms, 0.5, 50.0, 5.0});
    Material lossy = hard_rock;
    lossy.loss_p = lossy.loss_s = 0.05;
    const BoxElements box = box_for_probes(still_water, most.unrelaxed(lossy), &most);
    expect_same_glimpses<double>(highest_order, Viscoelastic::most_mechanisms, box, 1);
    expect_same_glimpses<float>(5, Viscoelastic::most_mechanisms, box, 1);
}

// As an A100 has not for order 4 in single precision with all mechanisms, which it can predict.
TEST(ProbesOnADevice, SeeStatesThatComeBackWhereABlockHasNoRoom) {
    constexpr int order = 4;
    FieldOfBox wanted;
    wanted.order = order;
    wanted.box.length = {1000.0, 1100.0, 900.0};
    wanted.box.cubes = {2, 3, 2};
    wanted.attenuation = std::make_shared<const Attenuation>(
        AttenuationOptions{Viscoelastic::most_mechanisms, 0.5, 50.0, 5.0});
    wanted.material = [&](const tetra::Point&) {
        Material lossy = hard_rock;
        lossy.loss_p = lossy.loss_s = 0.05;
        return wanted.attenuation->unrelaxed(lossy);
    };
    const MadeField<float> made = make_field<float>(MPI_COMM_SELF, wanted);
    const auto see = [&](const exec::DeviceLimits& limits) {
        exec::PlayedDevice device(limits, 3);
        Wavefield<float> field(
            MPI_COMM_SELF, wave_device_kernels<float>(order, Viscoelastic::most_mechanisms).elements,
            made.mesh, made.material, made.clusters.step, wanted.rate, {}, nullptr, wanted.attenuation.get());
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            field.coefficient(cell, 0, 8) = static_cast<float>(cell);
        field.move_to(device);
        std::vector<double> seen;
        field.add_probe(1, {0.1, 0.2, 0.3}, {[&](const Glimpse& glimpse) {
                            seen.insert(seen.end(), glimpse.derivatives.begin(), glimpse.derivatives.end());
                        }});
        for (int step = 0; step < 3; ++step) field.advance();
        return std::pair(seen, device.counts().bytes_out);
    };
    const auto [with_room, few_bytes] = see({"played H100", 1024, 227 << 10, 64 << 20});
    const auto [without, bytes] = see(played);
    ASSERT_GE(with_room.size(), 3u * order * 9);
    EXPECT_EQ(without, with_room);
    EXPECT_GT(bytes, few_bytes);
}

// A field of two clusters below the surface of a sea.
class ProbesOfAField : public testing::Test {
protected:
    ProbesOfAField() {
        FieldOfBox wanted;
        wanted.box.length = {2000.0, 900.0, 1000.0};
        wanted.box.cubes = {4, 2, 2};
        wanted.material = [](const tetra::Point&) { return hard_rock; };
        wanted.cluster = [](const tetra::Point& place) { return static_cast<int>(place[0] / 1000.0); };
        put_under_a_sea(wanted, 500.0);
        made_ = make_field<double>(MPI_COMM_SELF, wanted);
        field_ =
            std::make_unique<Wavefield<double>>(MPI_COMM_SELF, wave_device_kernels<double>(order).elements,
                                                made_.mesh, made_.material, made_.clusters.step, wanted.rate);
        for (std::int32_t cell = 0; cell < field_->cells(); ++cell) field_->coefficient(cell, 0, 8) = 1.0;
        for (std::int32_t cell = 0; cell < field_->cells(); ++cell)
            (field_->sea().face_of(cell) >= 0   ? at_sea_
             : made_.material[cell].is_liquid() ? wet_
                                                : dry_)
                .push_back(cell);
        field_->move_to(device_);
    }
    std::size_t bytes_back() {
        const std::size_t before = device_.counts().bytes_out;
        field_->advance();
        return device_.counts().bytes_out - before;
    }

    static constexpr int order = 3;
    exec::PlayedDevice device_{played, 1};
    MadeField<double> made_;
    std::unique_ptr<Wavefield<double>> field_;
    std::vector<std::int32_t> dry_, wet_, at_sea_;
};

TEST_F(ProbesOfAField, BringTheirNumbersAlone) {
    EXPECT_EQ(bytes_back(), 0u);
    int glimpses = 0, vectors = 0;
    const auto see = [&](int of) { return [&, of](const Glimpse&) { ++glimpses, vectors += of; }; };
    bool is_wanted = false;
    const auto wants = [&](double, double) { return is_wanted; };
    for (const std::int32_t cell : {dry_.front(), dry_[dry_.size() / 2], dry_.back()}) {
        field_->add_probe(cell, {0.1, 0.2, 0.3}, {see(1), wants});
        field_->add_probe(cell, {0.3, 0.2, 0.1},
                          {see(4), wants, {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}}});
    }
    const exec::DeviceCounts before = device_.counts();
    EXPECT_EQ(bytes_back(), 0u);
    EXPECT_EQ(device_.counts().bytes_in, before.bytes_in);
    is_wanted = true;
    const std::size_t back = bytes_back();
    EXPECT_GT(glimpses, 6);
    EXPECT_EQ(back, static_cast<std::size_t>(vectors * order * 9) * sizeof(double));
    // Others may come later.
    field_->add_probe(dry_[1], {0.2, 0.2, 0.2}, {see(1)});
    vectors = 0;
    const std::size_t with_another = bytes_back();
    EXPECT_GT(with_another, back);
    EXPECT_EQ(with_another, static_cast<std::size_t>(vectors * order * 9) * sizeof(double));
}

TEST_F(ProbesOfAField, BringTheSurfaceAboveThem) {
    const std::int32_t cell = at_sea_.back(), face = field_->sea().face_of(cell);
    std::vector<double> seen;
    field_->add_probe(cell, {0.1, 0.2, 0.3}, {[&](const Glimpse&) {
                          seen.push_back(field_->sea().series(face, {{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}})[0]);
                      }});
    const std::size_t back = bytes_back();
    bytes_back();
    ASSERT_GE(seen.size(), 2u);
    EXPECT_EQ(seen.front(), 0.0);
    EXPECT_EQ(std::ranges::count(seen, 0.0), 1);
    const auto& layout = field_->elements().layout();
    EXPECT_LT(back, seen.size() / 2 * layout.state * sizeof(double));
}

}  // namespace
}  // namespace groundswell::quake
