// Rock whose waves have speeds that depend on their direction: its constants, its kernels, and what it is in a case.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/plain/checks.hpp"
#include "groundswell/quake/rock/rock.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"
#include "support/quake/anisotropic_rock.hpp"
#include "support/quake/rock_grid.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {

using namespace groundswell::test;
using namespace groundswell::quake::test;
namespace {

Material half_of_it(const tetra::Point& place) {
    return place[0] < 500.0 ? any_rock(1) : Material{2600.0, 2.08e10, 1.04e10};
}

// Kernels of each kind of rock and those between, in clusters, against the plain scheme.
TEST(Anisotropy, BesideIsotropicRockKernelsAgreeWithThePlainScheme) {
    FieldOfBox wanted;
    wanted.box.cubes = {8, 3, 3};
    wanted.box.length = {1000.0, 1100.0, 900.0};
    wanted.box.jitter = 0.15;
    wanted.material = half_of_it;
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const auto checks = check_kernels<double>(*made.field, made.mesh, made.material, nullptr,
                                              static_cast<int>(made.clusters.cells.size()));
    for (int i = 0; i < 3; ++i) {
        EXPECT_GT(checks[i].cells, 0) << checks[i].kernel;
        EXPECT_TRUE(checks[i].finite);
        EXPECT_LE(checks[i].apart, checks[i].allowed * checks[i].largest) << checks[i].kernel;
    }
}

TEST(Anisotropy, IsotropicConstantsHaveIsotropicSpeeds) {
    const Material rock{2700.0, 3.1e10, 2.4e10};
    const Material stated = anisotropic(rock.density, Stiffness(isotropic_constants(rock.lambda, rock.mu)));
    EXPECT_NEAR(stated.vp() / rock.vp(), 1.0, 1e-14);
    EXPECT_NEAR(stated.vs() / rock.vs(), 1.0, 1e-14);
}

// Γ(d) v = ρ c² v for all directions, none of which has a wave beyond the two that are found.
TEST(Anisotropy, SpeedsAreThoseOfTheFastestAndTheSlowestDirection) {
    for (int seed = 1; seed <= 20; ++seed) {
        const Material rock = any_rock(seed);
        double fastest = 0.0, slowest = 1e30;
        constexpr int turns = 90;
        for (int i = 0; i <= turns; ++i) {
            for (int j = 0; j < 2 * turns; ++j) {
                const double theta = std::numbers::pi * i / turns, phi = std::numbers::pi * j / turns;
                const auto waves = eigen_of(rock.stiffness->christoffel(
                    {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)}));
                fastest = std::max(fastest, std::sqrt(waves.value[2] / rock.density));
                slowest = std::min(slowest, std::sqrt(waves.value[0] / rock.density));
            }
        }
        EXPECT_GE(rock.vp(), fastest * (1.0 - 1e-12)) << seed;
        EXPECT_LE(rock.vp(), fastest * 1.002) << seed;
        EXPECT_LE(rock.vs(), slowest * (1.0 + 1e-12)) << seed;
        EXPECT_GE(rock.vs(), slowest * 0.99) << seed;
    }
}

TEST(Anisotropy, ComplianceUndoesStiffness) {
    const Stiffness& rock = *any_rock(3).stiffness;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 6; ++k) sum += rock.matrix()[i][k] * rock.compliance()[k][j];
            EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-12);
        }
    }
}

// M = c : s n A, of which isotropic rock has μ and λ.
TEST(Anisotropy, SlipHasTheSameMomentInIsotropicConstants) {
    const Material rock{2700.0, 3.1e10, 2.4e10};
    const Material stated = anisotropic(rock.density, Stiffness(isotropic_constants(rock.lambda, rock.mu)));
    Pulse pulse;
    pulse.open(2.0, 0.3, 0.7);
    pulse.rate = {0.0, 1.0, 0.0};
    pulse.interval = 1.0;
    pulse.per_mu[3] += 0.4;
    SubSource part;
    part.pulses = {pulse};
    const auto wanted = part.in(rock)[0].moment, found = part.in(stated)[0].moment;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-14 * 3.0 * rock.lambda);
}

class AnisotropicRock : public testing::Test {
protected:
    RockOptions options(const std::string& text) {
        return groundswell::test::read_rock(folder_, "[[material.rock]]\n" + text);
    }
    Material of(const std::string& text, const tetra::Tetrahedron& cell) {
        const std::vector<tetra::Tetrahedron> cells{cell};
        const std::vector<std::int64_t> groups{1};
        return Rock(MPI_COMM_SELF, options(text), cells, groups).of(cell, 1);
    }
    TemporaryFolder folder_;
};

std::string listed(const std::vector<double>& values) {
    std::string text;
    for (const double one : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", one);
    return text;
}

const tetra::Tetrahedron cell_across{
    .place = {{{0, 0, -900}, {800, 0, -500}, {0, 900, -200}, {100, 100, 0}}}};

TEST_F(AnisotropicRock, ConstantsStandWhereVoigtHasThem) {
    std::vector<double> constants = isotropic_constants(3e10, 3e10);
    constants[15] = 1e10;  // c44: yz
    constants[20] = 2e10;  // c66: xy
    constants[5] = 4e9;    // c16: xx by xy
    const Material rock = of("density = 2700\nstiffness = [" + listed(constants) + "]", cell_across);
    const Square6& c = rock.stiffness->matrix();
    EXPECT_EQ(c[Elastic::yz][Elastic::yz], 1e10);
    EXPECT_EQ(c[Elastic::xy][Elastic::xy], 2e10);
    EXPECT_EQ(c[Elastic::xx][Elastic::xy], 4e9);
    EXPECT_EQ(c[Elastic::xy][Elastic::xx], 4e9);
    EXPECT_EQ(c[Elastic::xz][Elastic::xz], 3e10);
}

// In layers that cut an element both forms of the same rock have the same mean: the harmonic one of both moduli.
TEST_F(AnisotropicRock, LayersHaveTheMeanOfIsotropicOnes) {
    const auto constants = [](double density, double vp, double vs) {
        const double mu = density * vs * vs;
        return listed(isotropic_constants(density * vp * vp - 2.0 * mu, mu));
    };
    const Material wanted = of("layers = [[0, 2000, 3000, 1500], [-400, 2700, 6000, 3500]]", cell_across);
    const Material found = of(fmt::format("stiffness_layers = [[0, 2000, {}], [-400, 2700, {}]]",
                                          constants(2000, 3000, 1500), constants(2700, 6000, 3500)),
                              cell_across);
    ASSERT_TRUE(found.is_anisotropic());
    EXPECT_NEAR(found.density / wanted.density, 1.0, 1e-13);
    EXPECT_NEAR(found.vp() / wanted.vp(), 1.0, 1e-13);
    EXPECT_NEAR(found.vs() / wanted.vs(), 1.0, 1e-13);
}

TEST_F(AnisotropicRock, AGradientIsStraightBetweenRows) {
    const Material rock = of("stiffness_gradient = [[0, 2000, " + listed(isotropic_constants(1e10, 1e10)) +
                                 "], [-1000, 3000, " + listed(isotropic_constants(3e10, 2e10)) + "]]",
                             {.place = {{{0, 0, -500}, {1, 0, -500}, {0, 1, -500}, {0, 0, -500.0001}}}});
    EXPECT_NEAR(rock.density, 2500.0, 1e-3);
    EXPECT_NEAR(rock.mu, 1.5e10, 1e4);
    EXPECT_NEAR(rock.lambda, 2e10, 1e4);
}

TEST_F(AnisotropicRock, ConstantsThatAreNotPositiveDefiniteAreRefused) {
    std::vector<double> constants = isotropic_constants(3e10, 3e10);
    constants[2] = 1e11;  // c13 above c11 and c33
    const std::string single =
        refusal_of([&] { options("density = 2700\nstiffness = [" + listed(constants) + "]"); });
    EXPECT_NE(single.find("stiffness"), std::string::npos) << single;
    EXPECT_NE(single.find("first 3 rows and columns"), std::string::npos) << single;
    const std::string row = refusal_of([&] {
        options("stiffness_layers = [[0, 2700, " + listed(isotropic_constants(3e10, 3e10)) +
                "], [-9, 2700, " + listed(constants) + "]]");
    });
    EXPECT_NE(row.find("row 2"), std::string::npos) << row;
    EXPECT_NE(row.find("c33"), std::string::npos) << row;
    constants[2] = 3e10;
    constants[20] = 0.0;  // bears no shear along xy
    EXPECT_NE(refusal_of([&] {
                  options("density = 2700\nstiffness = [" + listed(constants) + "]");
              }).find("first 6 rows"),
              std::string::npos);
    EXPECT_NE(refusal_of([&] { options("density = 2700\nvp = 1\nstiffness = [1]"); }).find("one of"),
              std::string::npos);
}

}  // namespace
}  // namespace groundswell::quake
