// The kernels of all orders against the scheme as its papers write it, and what any scheme for these equations owes.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "groundswell/base/errors.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/plain_elastic.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

// Rock of two kinds, meeting in the middle of the box.
Material rock(const tetra::Point& place) {
    return place[0] < 500.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2600.0, 2.08e10, 1.04e10};
}

tetra::BoxOptions box_of_rock(bool periodic) {
    tetra::BoxOptions options;
    options.length = {1000.0, 1100.0, 900.0};
    options.cubes = periodic ? std::array<std::int64_t, 3>{4, 4, 4} : std::array<std::int64_t, 3>{2, 3, 2};
    options.periodic = {periodic, periodic, periodic};
    options.jitter = 0.15;
    return options;
}

// Rock, and in the other half water whose density jumps too.
Material sea_and_rock(const tetra::Point& place) {
    if (place[0] < 500.0) return {2700.0, 3.24e10, 3.24e10};
    return {place[1] < 550.0 ? 1030.0 : 1000.0, 2.25e9, 0.0};
}

Material water(const tetra::Point& place) {
    return {place[0] < 500.0 ? 1030.0 : 1000.0, 2.25e9, 0.0};
}

Material anisotropic_rock(const tetra::Point& place) {
    return any_rock(place[0] < 500.0 ? 1 : 2);
}

Material rock_by_21_constants(const tetra::Point& place) {
    const Material isotropic = rock(place);
    return anisotropic(isotropic.density, Stiffness(isotropic_constants(isotropic.lambda, isotropic.mu)));
}

// Stresses of MPa and velocities of m/s, as waves in rock have them; water bears no shear.
template <class Set>
void fill_at_random(const std::vector<Element>& elements, int basis, const Set& set) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const bool is_liquid = elements[e].material.is_liquid();
        for (int k = 0; k < basis; ++k) {
            const double pressure = between(generator) * 1e7;
            for (int q = 0; q < 9; ++q) {
                const double value = between(generator) * (q < 6 ? 1e7 : 1.0);
                set(e, k, q, !is_liquid || q > 5 ? value : (q < 3 ? pressure : 0.0));
            }
        }
    }
}

// The largest difference as a part of the largest value: of stresses, and of velocities.
template <class Real>
std::array<double, 2> difference(const Elements<Real>& fast, PlainElastic& plain, int basis) {
    std::array<double, 2> most{}, largest{};
    for (std::int32_t e = 0; e < fast.size(); ++e) {
        for (int k = 0; k < basis; ++k) {
            for (int q = 0; q < 9; ++q) {
                const double expected = plain.at(e, k, q);
                const double apart = std::abs(expected - static_cast<double>(fast.coefficient(e, k, q)));
                most[q / 6] = std::max(most[q / 6], apart);
                largest[q / 6] = std::max(largest[q / 6], std::abs(expected));
            }
        }
    }
    return {most[0] / largest[0], most[1] / largest[1]};
}

// `of_plain`: material of the plain scheme, where it is not stated in the same way.
template <class Real>
void expect_as_plain(int order, bool periodic, double within,
                     Material (*material)(const tetra::Point&) = rock,
                     Material (*of_plain)(const tetra::Point&) = nullptr) {
    const BoxElements box = elements_of(box_of_rock(periodic), material);
    const BoxElements same = elements_of(box_of_rock(periodic), of_plain != nullptr ? of_plain : material);
    Elements<Real> fast = one_block<Real>(order, box);
    PlainElastic plain(order, same);
    fill_at_random(box.element, basis_size(order), [&](std::size_t e, int k, int q, double value) {
        plain.at(e, k, q) = value;
        fast.coefficient(static_cast<std::int32_t>(e), k, q) = static_cast<Real>(value);
    });
    const double step = longest_step(box.element, order);
    for (int i = 0; i < 2; ++i) {
        fast.predict(0, static_cast<Real>(step));
        fast.correct(0);
        plain.step(step);
    }
    const auto [stress, velocity] = difference(fast, plain, basis_size(order));
    EXPECT_LT(stress, within) << order;
    EXPECT_LT(velocity, within) << order;
}

TEST(QuakeKernels, AllOrdersAgreeWithThePlainScheme) {
    for (int order = lowest_order; order <= 5; ++order) {
        expect_as_plain<double>(order, false, 1e-12);
        expect_as_plain<float>(order, false, 1e-5);
    }
    expect_as_plain<double>(3, true, 1e-12);
}

// With water the S waves of one side have no counterpart; batches of water alone have kernels of their own.
TEST(QuakeKernels, WaterAgreesWithThePlainScheme) {
    for (int order = lowest_order; order <= 4; ++order) {
        for (auto* const material : {water, sea_and_rock}) {
            expect_as_plain<double>(order, false, 1e-12, material);
            expect_as_plain<float>(order, false, 1e-5, material);
        }
    }
    expect_as_plain<double>(3, true, 1e-12, water);
}

TEST(QuakeKernels, AnisotropicRockAgreesWithThePlainScheme) {
    for (int order = lowest_order; order <= 4; ++order) {
        expect_as_plain<double>(order, false, 1e-12, anisotropic_rock);
        expect_as_plain<float>(order, false, 1e-5, anisotropic_rock);
    }
    expect_as_plain<double>(3, true, 1e-12, anisotropic_rock);
}

TEST(QuakeKernels, IsotropicConstantsGiveWhatIsotropicRockDoes) {
    for (int order = lowest_order; order <= 4; ++order)
        expect_as_plain<double>(order, false, 1e-12, rock_by_21_constants, rock);
}

TEST(QuakeKernelsLong, TheHighestOrdersAgreeWithThePlainScheme) {
    for (int order = 6; order <= highest_order; ++order) {
        for (auto* const material : {rock, anisotropic_rock}) {
            expect_as_plain<double>(order, false, 1e-11, material);
            expect_as_plain<float>(order, false, 1e-4, material);
        }
    }
}

TEST(QuakeKernels, AConstantStateStays) {
    tetra::BoxOptions options = box_of_rock(true);
    const BoxElements box = elements_of(options, [](const tetra::Point&) {
        return Material{2700.0, 3.24e10, 3.24e10};
    });
    for (const int order : {2, 4, 7}) {
        Elements<double> elements = one_block<double>(order, box);
        const double value[9] = {1e6, -2e6, 3e6, 5e5, -4e5, 7e5, 0.1, -0.2, 0.3};
        for (std::int32_t e = 0; e < elements.size(); ++e) {
            for (int q = 0; q < 9; ++q) elements.coefficient(e, 0, q) = value[q];
        }
        const double step = longest_step(box.element, order);
        const int steps = order == 2 ? 1000 : 100;
        for (int i = 0; i < steps; ++i) {
            elements.predict(0, step);
            elements.correct(0);
        }
        for (std::int32_t e = 0; e < elements.size(); ++e) {
            for (int q = 0; q < 9; ++q) {
                const double scale = q < 6 ? 1e6 : 0.1;
                EXPECT_NEAR(elements.coefficient(e, 0, q), value[q], 1e-11 * scale);
                for (int k = 1; k < basis_size(order); ++k)
                    EXPECT_NEAR(elements.coefficient(e, k, q), 0.0, 1e-11 * scale);
            }
        }
    }
}

double energy(const Elements<double>& elements, const std::vector<Element>& of, int order) {
    double sum = 0.0;
    for (std::int32_t e = 0; e < elements.size(); ++e) {
        sum += energy_of(order, of[e].material, of[e].geometry.volume,
                         [&](int k, int q) { return elements.coefficient(e, k, q); });
    }
    return sum;
}

template <class Real>
void expect_energy_by_batches() {
    const BoxElements box = elements_of(box_of_rock(true), sea_and_rock);
    for (const int order : {2, 5}) {
        Elements<Real> elements = one_block<Real>(order, box);
        fill_at_random(box.element, basis_size(order), [&](std::size_t e, int k, int q, double value) {
            elements.coefficient(static_cast<std::int32_t>(e), k, q) = static_cast<Real>(value);
        });
        const auto mass = tetrahedron_mass(order);
        std::vector<SquaresOfElement> sums(static_cast<std::size_t>(elements.layout().lanes));
        for (std::int32_t e = 0; e < elements.size(); ++e) {
            const auto& of = box.element[e];
            const auto lane = static_cast<std::size_t>(elements.places().lane(e));
            elements.squares_of(elements.places().batch(e), mass, sums.data());
            const double wanted = energy_of(order, of.material, of.geometry.volume, [&](int k, int q) {
                return static_cast<double>(elements.coefficient(e, k, q));
            });
            EXPECT_NEAR(energy_of_squares(of.material, of.geometry.volume, sums[lane]), wanted,
                        1e-13 * wanted);
        }
    }
}

// Springs that relax hold as much as others here: ϑ/ω is of the size of the strain.
template <class Real>
void expect_energy_by_batches_where_rock_relaxes() {
    const Attenuation attenuation({3, 0.3, 10.0, 1.7});
    BoxElements box = elements_of(box_of_rock(true), rock);
    for (Element& of : box.element) {
        of.material.loss_p = 1.0 / 20.0;
        of.material.loss_s = 1.0 / 10.0;
        of.material = attenuation.unrelaxed(of.material);
        of.mechanisms = attenuation.mechanisms_of(of.material);
    }
    for (const int order : {2, 5}) {
        auto elements = one_block<Real>(wave_kernels<Real>(order, 3), box);
        fill_at_random(box.element, basis_size(order), [&](std::size_t e, int k, int q, double value) {
            elements.coefficient(static_cast<std::int32_t>(e), k, q) = static_cast<Real>(value);
        });
        const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
        const auto mass = tetrahedron_mass(order);
        std::vector<SquaresOfElement> sums(lanes);
        std::mt19937 generator(1);
        std::uniform_real_distribution<double> between(-1.0, 1.0);
        for (std::int32_t e = 0; e < elements.size(); ++e) {
            const auto& of = box.element[e];
            for (std::size_t i = 0; i < elements.remembered(); ++i)
                elements.memory_of(e)[i * lanes] =
                    static_cast<Real>(between(generator) / of.material.density);
            elements.squares_of(elements.places().batch(e), mass, sums.data());
            const Energy wanted = quake::energy_of(
                mass, of.material, of.mechanisms, of.geometry.volume,
                [&](int k, int q) { return static_cast<double>(elements.coefficient(e, k, q)); },
                [&](int k, std::size_t l, int i) {
                    return static_cast<double>(elements.memory_of(e)[((k * 3 + l) * 6 + i) * lanes]);
                });
            const double all = wanted.kinetic + wanted.elastic;
            EXPECT_NEAR(energy_of_squares(of.material, of.geometry.volume,
                                          sums[static_cast<std::size_t>(elements.places().lane(e))]),
                        all, 100.0 * std::numeric_limits<Real>::epsilon() * all);
        }
    }
}

TEST(QuakeKernels, EnergyByBatchesIsThatOfTheirElements) {
    expect_energy_by_batches<double>();
    expect_energy_by_batches<float>();
    expect_energy_by_batches_where_rock_relaxes<double>();
    expect_energy_by_batches_where_rock_relaxes<float>();
}

TEST(QuakeKernels, EnergyNeverGrows) {
    for (auto* const material : {rock, sea_and_rock, water, anisotropic_rock}) {
        const bool periodic = material != sea_and_rock;
        const BoxElements box = elements_of(box_of_rock(periodic), material);
        for (int order = lowest_order; order <= highest_order; ++order) {
            Elements<double> elements = one_block<double>(order, box);
            fill_at_random(box.element, basis_size(order), [&](std::size_t e, int k, int q, double value) {
                elements.coefficient(static_cast<std::int32_t>(e), k, q) = value;
            });
            const double step = longest_step(box.element, order);
            double before = energy(elements, box.element, order);
            for (int i = 0; i < 20; ++i) {
                elements.predict(0, step);
                elements.correct(0);
                const double now = energy(elements, box.element, order);
                EXPECT_LE(now, before) << order << " step " << i;
                before = now;
            }
        }
    }
}

#if defined(__AVX__)
TEST(QuakeKernels, ABatchFillsTheRegistersOfTheProcessor) {
#if defined(__AVX512F__)
    constexpr int bytes = 64;
#else
    constexpr int bytes = 32;
#endif
    EXPECT_EQ(wave_kernels<float>(2).layout.lanes, bytes / 4);
    EXPECT_EQ(wave_kernels<double>(2).layout.lanes, bytes / 8);
}
#endif

TEST(QuakeKernels, AnOrderThatDoesNotExistIsRefused) {
    EXPECT_THROW(wave_kernels<float>(1), base::Refusal);
    EXPECT_THROW(wave_kernels<double>(8), base::Refusal);
}

}  // namespace
