// A wave field on a device, of all that elements may be made of: the same bits by any seed of the played device and by the processor as a
// device, which are those of the processor's kernels where these round after each product.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/on_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {
namespace {

using namespace test;

// Clusters of three rates in the same box, a source in one of each, and who looks at places and at everything.
struct Seen {
    std::vector<double> states, memory, at_place, everywhere, work, slip, eta;
    bool operator==(const Seen&) const = default;
};

struct FieldSetting {
    int rate = 2;
    bool breaks = false;  // a plane along x
    int mechanisms = 0;
    bool sea = false;          // water above, with a surface under gravity
    bool layer = false;        // beside all sides but the upper
    bool anisotropic = false;  // some of the rock, away from faults and water
    bool single = false;       // precision
};

// The lower cubes' lowest tetrahedra, or beyond the plane the farther ones.
bool is_anisotropic_at(const FieldSetting& setting, const tetra::Point& place) {
    return setting.sea ? place[2] < 190.0 : place[1] > 600.0;
}

class FieldOnADevice : public testing::TestWithParam<FieldSetting> {
protected:
    FieldOnADevice() {
        wanted_.box.length = {2000.0, 900.0, 1000.0};
        wanted_.box.cubes = {6, 2, 2};
        wanted_.box.jitter = GetParam().breaks ? 0.0 : 0.15;
        wanted_.material = [](const tetra::Point& place) {
            return place[1] < 450.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2600.0, 2.08e10, 1.04e10};
        };
        if (GetParam().anisotropic)
            wanted_.material = [rock = wanted_.material](const tetra::Point& place) {
                return is_anisotropic_at(GetParam(), place) ? any_rock(1) : rock(place);
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
                // No fault may reach into a layer.
                return std::ranges::all_of(corner, [](const auto& place) {
                    return place[1] == 450.0 &&
                           (!GetParam().layer || (place[0] > 300.0 && place[0] < 1700.0));
                });
            };
        made_ = make_field<double>(MPI_COMM_SELF, wanted_);
    }

    // By these kernels, on the device if there is one.
    template <class Real>
    Seen run(const Kernels<Real>& kernels, exec::Device* device, bool layer = GetParam().layer) const {
        Wavefield<Real> field(MPI_COMM_SELF, kernels, made_.mesh, made_.material, made_.clusters.step,
                              wanted_.rate, {}, nullptr, wanted_.attenuation.get(),
                              GetParam().breaks ? &fault_ : nullptr);
        if (layer) field.add_layer(MPI_COMM_SELF, made_.mesh, made_.material, {120.0, 3.0, "case"});
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (int q = 0; q < 9; ++q)
                field.coefficient(cell, 0, q) =
                    static_cast<Real>(std::sin(3.0 * cell + q) * (q < 6 ? 1e6 : 0.1));
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            for (int q = 1; q < 6 && made_.material[cell].is_liquid(); ++q)
                field.coefficient(cell, 0, q) = q < 3 ? field.coefficient(cell, 0, 0) : Real(0);
        Seen seen;
        const double duration = field.meeting_seconds();
        const auto every = static_cast<std::int32_t>(field.cells() / 5);
        std::vector<std::vector<double>> at_place(field.cells());
        const auto basis_of_face = static_cast<std::size_t>(face_basis_size(wanted_.order));
        for (std::int32_t cell = every; cell < field.cells(); cell += every) {
            PointSource source;
            source.moment = {3e12, -2e12, 1e12, 4e12, -5e12, 2e12};
            source.rate = gaussian(0.3 * duration * (1 + cell % 2), 0.2 * duration);
            field.add_source(cell, {0.2, 0.3, 0.1}, source);
            Probe probe{[&at_place, cell](const Glimpse& glimpse) {
                for (const auto& values : {glimpse.derivatives, glimpse.slopes})
                    at_place[cell].insert(at_place[cell].end(), values.begin(), values.end());
            }};
            if (cell / every % 2 == 0)
                probe.gradient = {{{0.001, 0.002, 0.0}, {-0.001, 0.003, 0.001}, {0.0, 0.001, -0.002}}};
            field.add_probe(cell - 1, {0.1, 0.2, 0.4}, probe);
        }
        // The surface is seen where and when a place below it is.
        for (std::int32_t cell = 1; cell < field.cells(); cell += 3) {
            const std::int32_t face = field.sea().face_of(cell);
            if (face < 0) continue;
            field.add_probe(cell, {0.2, 0.1, 0.3}, {[&, cell, face](const Glimpse&) {
                                const std::vector<double> basis(basis_of_face, 0.5);
                                const auto series = field.sea().series(face, basis);
                                at_place[cell].insert(at_place[cell].end(), series.begin(), series.end());
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

    template <class Real>
    void expect_the_bits_of_the_processor() const;

    FaultInput fault_;
    FieldOfBox wanted_;
    MadeField<double> made_;
};

template <class Real>
void FieldOnADevice::expect_the_bits_of_the_processor() const {
    ASSERT_EQ(made_.clusters.cells.size(), 3u);
    for (const std::int64_t cells : made_.clusters.cells) ASSERT_GT(cells, 0);
    const Kernels<Real>& there = wave_device_kernels<Real>(wanted_.order, GetParam().mechanisms).elements;
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
    const Seen here = run(kernels.in<Real>().of_waves(wanted_.order, GetParam().mechanisms), nullptr);
    if (unfused) {
        EXPECT_EQ(here, expected);
    }
    EXPECT_LT(apart(here.states, expected.states), GetParam().single ? 1e-4 : 1e-12);
    // What is seen is not nothing.
    for (const auto* values : {&here.at_place, &here.everywhere, &here.work}) {
        ASSERT_FALSE(values->empty());
        EXPECT_NE(std::ranges::count(*values, 0.0), std::ssize(*values));
    }
    EXPECT_EQ(std::ranges::any_of(here.slip, [](double slip) { return slip > 0.0; }), GetParam().breaks);
    EXPECT_EQ(std::ranges::any_of(here.eta, [](double eta) { return eta != 0.0; }), GetParam().sea);
    EXPECT_EQ(std::ranges::any_of(made_.material, &Material::is_anisotropic), GetParam().anisotropic);
    EXPECT_EQ(run(there, host.get(), false) != expected, GetParam().layer);
}

TEST_P(FieldOnADevice, StepsInClustersAsOnTheProcessor) {
    GetParam().single ? expect_the_bits_of_the_processor<float>()
                      : expect_the_bits_of_the_processor<double>();
}

INSTANTIATE_TEST_SUITE_P(
    settings, FieldOnADevice,
    testing::Values(FieldSetting{.rate = 2}, FieldSetting{.rate = 3}, FieldSetting{.rate = 2, .breaks = true},
                    FieldSetting{.rate = 2, .mechanisms = 3}, FieldSetting{.rate = 3, .mechanisms = 2},
                    FieldSetting{.rate = 2, .sea = true},
                    FieldSetting{.rate = 3, .mechanisms = 2, .sea = true},
                    FieldSetting{.rate = 2, .layer = true},
                    FieldSetting{.rate = 2, .breaks = true, .layer = true},
                    FieldSetting{.rate = 3, .mechanisms = 2, .sea = true, .layer = true, .single = true},
                    FieldSetting{.rate = 2, .breaks = true, .anisotropic = true},
                    FieldSetting{.rate = 3, .anisotropic = true, .single = true},
                    FieldSetting{.rate = 2, .sea = true, .layer = true, .anisotropic = true}),
    [](const auto& setting) {
        return "rate_" + std::to_string(setting.param.rate) + (setting.param.breaks ? "_with_a_fault" : "") +
               (setting.param.mechanisms > 0 ? "_attenuating" : "") +
               (setting.param.sea ? "_under_a_sea" : "") + (setting.param.layer ? "_with_a_layer" : "") +
               (setting.param.anisotropic ? "_anisotropic" : "") +
               (setting.param.single ? "_in_single_precision" : "");
    });

}  // namespace
}  // namespace groundswell::quake
