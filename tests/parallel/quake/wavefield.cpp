// Elements in clusters that step at rates of their own, on several ranks: the bits of one rank, the constant state, and
// energy that never grows.
#include <gtest/gtest.h>
#include <mpi.h>

#include <map>
#include <random>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

Material rock(const tetra::Point& at) {
    return at[0] < 500.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2000.0, 2.0e9, 1.0e9};
}

FieldOfBox box_of_rock(bool periodic) {
    FieldOfBox wanted;
    wanted.box.cubes = {6, 4, 4};
    wanted.box.length = {1000.0, 900.0, 1100.0};
    wanted.box.periodic = {periodic, periodic, periodic};
    wanted.box.jitter = 0.12;
    wanted.material = rock;
    return wanted;
}

template <class Real>
void fill_at_random(MadeField<Real>& made, int order) {
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(made.mesh.row[cell]));
        std::uniform_real_distribution<double> between(-1.0, 1.0);
        for (int k = 0; k < basis_size(order); ++k) {
            for (int q = 0; q < 9; ++q)
                made.field->coefficient(cell, k, q) =
                    static_cast<Real>(between(generator) * (q < 6 ? 1e7 : 1.0));
        }
    }
}

// All coefficients, by the row of the element.
template <class Real>
std::map<std::int64_t, std::vector<Real>> after(MPI_Comm comm, const FieldOfBox& wanted, int meetings) {
    auto made = make_field<Real>(comm, wanted);
    fill_at_random(made, wanted.order);
    for (int i = 0; i < meetings; ++i) made.field->advance();
    std::map<std::int64_t, std::vector<Real>> all;
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        auto& values = all[made.mesh.row[cell]];
        for (int k = 0; k < basis_size(wanted.order); ++k) {
            for (int q = 0; q < 9; ++q) values.push_back(made.field->coefficient(cell, k, q));
        }
    }
    return all;
}

template <class Real>
void expect_the_bits_of_one_rank(const FieldOfBox& wanted) {
    const auto all = after<Real>(MPI_COMM_WORLD, wanted, 2);
    const auto alone = after<Real>(MPI_COMM_SELF, wanted, 2);
    for (const auto& [row, values] : all) ASSERT_EQ(values, alone.at(row)) << row;
}

TEST(QuakeWavefield, HasTheBitsOfOneRankWhereRockAttenuates) {
    for (const int rate : {1, 2, 3}) {
        FieldOfBox wanted = box_of_rock(rate == 2);
        wanted.rate = rate;
        wanted.attenuation = std::make_shared<const Attenuation>(AttenuationOptions{3, 0.5, 50.0, 5.0});
        wanted.material = [attenuation = wanted.attenuation](const tetra::Point& at) {
            Material material = rock(at);
            if (at[0] >= 500.0) material.loss_p = material.loss_s = 0.05;
            return attenuation->unrelaxed(material);
        };
        expect_the_bits_of_one_rank<double>(wanted);
    }
}

TEST(QuakeWavefield, HasTheBitsOfOneRankWhereAnisotropicRockMeetsIsotropic) {
    for (const int rate : {1, 2}) {
        FieldOfBox wanted = box_of_rock(rate == 1);
        wanted.rate = rate;
        wanted.material = [](const tetra::Point& at) { return at[1] < 400.0 ? any_rock(1) : rock(at); };
        expect_the_bits_of_one_rank<double>(wanted);
    }
}

TEST(QuakeWavefield, HasTheBitsOfOneRank) {
    for (const bool periodic : {false, true}) {
        for (const int rate : {1, 2, 3}) {
            FieldOfBox wanted = box_of_rock(periodic);
            wanted.rate = rate;
            expect_the_bits_of_one_rank<double>(wanted);
        }
    }
    FieldOfBox wanted = box_of_rock(false);
    wanted.order = 4;
    expect_the_bits_of_one_rank<float>(wanted);
    for (const char* transport : {"persistent", "shared", "auto"}) {
        wanted.transport = transport;
        expect_the_bits_of_one_rank<float>(wanted);
    }
}

TEST(QuakeWavefield, HasTheBitsOfOneThread) {
    FieldOfBox wanted = box_of_rock(false);
    const int before = exec::threads();
    exec::set_threads(1);
    const auto one = after<float>(MPI_COMM_WORLD, wanted, 2);
    exec::set_threads(3);
    const auto three = after<float>(MPI_COMM_WORLD, wanted, 2);
    exec::set_threads(before);
    EXPECT_EQ(one, three);
}

TEST(QuakeWavefield, TheBoxHasSeveralClusters) {
    const auto made = make_field<float>(MPI_COMM_WORLD, box_of_rock(false));
    EXPECT_GE(made.clusters.cells.size(), 3u);
    EXPECT_EQ(made.field->ticks_to_meet(), std::int64_t{1} << (made.clusters.cells.size() - 1));
}

TEST(QuakeWavefield, AConstantStateStaysInClustersOfAnyPattern) {
    for (const int rate : {2, 3}) {
        FieldOfBox wanted = box_of_rock(true);
        wanted.rate = rate;
        wanted.material = [](const tetra::Point&) { return Material{2700.0, 3.24e10, 3.24e10}; };
        wanted.cluster = [](const tetra::Point& at) {
            return static_cast<int>(at[0] / 200.0 + at[1] / 300.0) % 3;
        };
        auto made = make_field<double>(MPI_COMM_WORLD, wanted);
        ASSERT_EQ(made.clusters.cells.size(), 3u);
        const double value[9] = {1e6, -2e6, 3e6, 5e5, -4e5, 7e5, 0.1, -0.2, 0.3};
        for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
            for (int q = 0; q < 9; ++q) made.field->coefficient(cell, 0, q) = value[q];
        }
        for (int i = 0; i < 30; ++i) made.field->advance();
        for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
            for (int k = 0; k < basis_size(wanted.order); ++k) {
                for (int q = 0; q < 9; ++q) {
                    const double scale = q < 6 ? 1e6 : 0.1;
                    ASSERT_NEAR(made.field->coefficient(cell, k, q), k == 0 ? value[q] : 0.0, 1e-10 * scale);
                }
            }
        }
    }
}

TEST(QuakeWavefield, EnergyNeverGrowsInClusters) {
    for (const bool periodic : {false, true}) {
        for (const int rate : {2, 3}) {
            FieldOfBox wanted = box_of_rock(periodic);
            wanted.rate = rate;
            auto made = make_field<double>(MPI_COMM_WORLD, wanted);
            fill_at_random(made, wanted.order);
            const auto energy = [&] {
                std::vector<double> mine;
                for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
                    mine.push_back(
                        energy_of(wanted.order, made.material[cell],
                                  tetra::geometry_of(made.mesh.cell[cell].place).volume,
                                  [&](int k, int q) { return made.field->coefficient(cell, k, q); }));
                }
                return parallel::sum(MPI_COMM_WORLD, mine);
            };
            double before = energy();
            for (int i = 0; i < 10; ++i) {
                made.field->advance();
                const double now = energy();
                EXPECT_LE(now, before);
                before = now;
            }
        }
    }
}

}  // namespace
