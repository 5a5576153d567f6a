// What elements are made of: rock that is the same everywhere, in layers, with gradients; means over elements.
#include "groundswell/quake/rock/rock.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "groundswell/quake/mesh/steps.hpp"
#include "support/quake/rock_grid.hpp"

namespace groundswell::quake {

using namespace groundswell::test;
namespace {

void expect_same(const Material& a, const Material& b) {
    EXPECT_EQ(a.density, b.density);
    EXPECT_EQ(a.lambda, b.lambda);
    EXPECT_EQ(a.mu, b.mu);
}

tetra::Tetrahedron any_cell(unsigned seed) {
    std::mt19937 random(seed);
    tetra::Tetrahedron cell;
    for (auto& corner : cell.place)
        for (double& x : corner) x = std::uniform_real_distribution<>(-1000.0, 0.0)(random);
    return cell;
}

/// The rock of a case with cells of the groups `groups`.
class QuakeRock : public testing::Test {
protected:
    Rock rock(const std::string& text, const std::vector<std::int64_t>& groups = {1}) {
        const std::vector<tetra::Tetrahedron> cells(groups.size(), any_cell(1));
        return {MPI_COMM_SELF, groundswell::test::read_rock(folder_, text), cells, groups};
    }
    std::string refusal(const std::string& text, const std::vector<std::int64_t>& groups = {1}) {
        return refusal_of([&] { rock(text, groups); });
    }
    TemporaryFolder folder_;
};

const std::string entry = "[[material.rock]]\n";
const std::string granite = "density = 2700\nvp = 6000\nvs = 3464\n";

TEST_F(QuakeRock, WhatIsTheSameEverywhereIsKeptToTheBit) {
    const Material by_speeds = rock(entry + granite).of(any_cell(2), 1);
    EXPECT_EQ(by_speeds.density, 2700.0);
    EXPECT_NEAR(by_speeds.vp(), 6000.0, 1e-9);
    EXPECT_NEAR(by_speeds.vs(), 3464.0, 1e-9);
    expect_same(rock(entry + "density = 1\nlambda = 2\nmu = 1").of(any_cell(2), 1), {1.0, 2.0, 1.0});
    // Also as layers or a gradient, where a mean is taken.
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Material stated{2700.0, by_speeds.lambda, by_speeds.mu};
        for (const char* form : {"layers", "gradient"})
            expect_same(rock(entry + form + " = [[0, 2700, 6000, 3464], [-500, 2700, 6000, 3464]]")
                            .of(any_cell(seed), 1),
                        stated);
    }
}

TEST_F(QuakeRock, EachGroupHasItsOwn) {
    const Rock three = rock(entry + granite + entry + "group = [3, -7]\ndensity = 2000\nvp = 3000\nvs = 1500",
                            {3, 1, -7, 5});
    const tetra::Point place{};
    EXPECT_EQ(three.at(place, 3).density, 2000.0);
    EXPECT_EQ(three.at(place, -7).density, 2000.0);
    EXPECT_EQ(three.at(place, 1).density, 2700.0);
    EXPECT_EQ(three.at(place, 5).density, 2700.0);
}

TEST_F(QuakeRock, ALayerBeginsAtItsTop) {
    const Rock layers = rock(entry + "layers = [[0, 2600, 4000, 2000], [-1000, 2700, 6000, 3464]]");
    const auto density = [&](double z) { return layers.at({5.0, 7.0, z}, 1).density; };
    EXPECT_EQ(density(500.0), 2600.0);
    EXPECT_EQ(density(0.0), 2600.0);
    EXPECT_EQ(density(-999.999), 2600.0);
    EXPECT_EQ(density(-1000.0), 2700.0);
    EXPECT_EQ(density(-5000.0), 2700.0);
}

TEST_F(QuakeRock, AGradientGoesStraightFromRowToRow) {
    const Rock gradient = rock(
        entry + "gradient = [[0, 2600, 4000, 2000], [-1000, 2700, 6000, 3400], [-3000, 3000, 7000, 4000]]");
    const auto at = [&](double z) { return gradient.at({5.0, 7.0, z}, 1); };
    expect_same(at(100.0), at(0.0));
    expect_same(at(0.0), StatedRock{2600.0, 4000.0, 2000.0, false}.material());
    expect_same(at(-500.0), StatedRock{2650.0, 5000.0, 2700.0, false}.material());
    expect_same(at(-1000.0), StatedRock{2700.0, 6000.0, 3400.0, false}.material());
    expect_same(at(-2500.0), StatedRock{2925.0, 6750.0, 3850.0, false}.material());
    expect_same(at(-9000.0), StatedRock{3000.0, 7000.0, 4000.0, false}.material());
}

TEST_F(QuakeRock, AtTheCentreNothingIsAveraged) {
    const Rock centre = rock("[material]\naverage = \"centre\"\n" + entry +
                             "layers = [[0, 2600, 4000, 2000], [-500, 2700, 6000, 3464]]");
    for (unsigned seed = 0; seed < 20; ++seed) {
        const tetra::Tetrahedron cell = any_cell(seed);
        expect_same(centre.of(cell, 1), centre.at(centre_of(cell), 1));
    }
}

TEST(QuakeRockMean, OfValuesWithAConstantSlopeIsThatAtTheCentre) {
    // The density itself, and of the moduli, of which the harmonic mean is taken, one over them.
    const auto at = [](const tetra::Point& p) {
        const double mu = 1e10 / (3.0 + 1e-3 * p[0] + 5e-4 * p[2]), bulk = 5e10 / (4.0 - 1e-3 * p[1]);
        return Material{2600.0 - 0.1 * p[2] + 0.05 * p[0], bulk - 2.0 / 3.0 * mu, mu};
    };
    for (unsigned seed = 0; seed < 20; ++seed) {
        const tetra::Tetrahedron cell = any_cell(seed);
        const Material mean = mean_over(cell, at).value(), centre = at(centre_of(cell));
        EXPECT_NEAR(mean.density / centre.density, 1.0, 1e-14);
        EXPECT_NEAR(mean.lambda / centre.lambda, 1.0, 1e-13);
        EXPECT_NEAR(mean.mu / centre.mu, 1.0, 1e-13);
    }
}

TEST_F(QuakeRock, LayersCountByTheirVolumes) {
    // Above the height h of a tetrahedron of height 1 lies the part (1 - h)³ of it.
    tetra::Tetrahedron cell;
    cell.place = {{{0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {0.1, 1.0, 0.0}, {0.3, 0.4, 1.0}}};
    const Material soft = StatedRock{2000.0, 1500.0, 300.0, false}.material();
    const Material hard = StatedRock{2700.0, 6000.0, 3464.0, false}.material();
    for (const double h : {0.05, 0.2, 0.5, 0.7}) {
        const Rock two =
            rock(entry + fmt::format("layers = [[1, 2000, 1500, 300], [{}, 2700, 6000, 3464]]", h));
        const Material mean = two.of(cell, 1);
        const double part = std::pow(1.0 - h, 3.0);
        const auto harmonic = [&](double a, double b) { return 1.0 / (part / a + (1.0 - part) / b); };
        EXPECT_NEAR(mean.density, part * 2000.0 + (1.0 - part) * 2700.0, 1e-9) << h;
        EXPECT_NEAR(mean.mu / harmonic(soft.mu, hard.mu), 1.0, 1e-12) << h;
        EXPECT_NEAR(bulk_modulus(mean) / harmonic(bulk_modulus(soft), bulk_modulus(hard)), 1.0, 1e-12) << h;
    }
}

TEST_F(QuakeRock, LayersCountAsOftenAsPlacesLieInThem) {
    const Rock layers = rock(entry +
                             "layers = [[0, 2000, 1500, 300], [-200, 2200, 3000, 1200], [-450, 2700, 6000, "
                             "3464], [-550, 2500, 4000, 2000]]");
    for (unsigned seed = 0; seed < 10; ++seed) {
        const tetra::Tetrahedron cell = any_cell(seed);
        std::mt19937 random(seed + 100);
        std::exponential_distribution<> share;
        double density = 0.0, compliance = 0.0;
        constexpr int places = 20000;
        for (int n = 0; n < places; ++n) {
            double z = 0.0, shares = 0.0;
            for (const auto& corner : cell.place) {
                const double s = share(random);
                z += s * corner[2];
                shares += s;
            }
            const Material there = layers.at({0.0, 0.0, z / shares}, 1);
            density += there.density / places;
            compliance += 1.0 / there.mu / places;
        }
        const Material mean = layers.of(cell, 1);
        EXPECT_NEAR(mean.density, density, 0.015 * 700.0) << seed;
        EXPECT_NEAR(1.0 / mean.mu, compliance, 0.015 / 1.8e8) << seed;
    }
}

TEST(QuakeRockMean, NeverLiesOutsideOfWhatItIsOf) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Material mean =
            mean_over(any_cell(seed), [](const tetra::Point& p) {
                return p[2] > -500.0 ? Material{2000.0, 1e8, 1e9} : Material{2700.0, 3e10, 3e10};
            }).value();
        EXPECT_GE(mean.density, 2000.0);
        EXPECT_LE(mean.density, 2700.0);
        EXPECT_GE(mean.mu, 1e9);
        EXPECT_LE(mean.mu, 3e10);
        EXPECT_FALSE(flaw_of({mean.density, mean.lambda, mean.mu, true}));
    }
}

TEST(QuakeRockMean, DoesNotKnowTheOrderOfTheCorners) {
    const auto at = [](const tetra::Point& p) {
        return p[2] > -500.0 + 0.1 * p[0] ? Material{2000.0, 2e9, 1e9} : Material{2700.0 - p[1], 3e10, 3e10};
    };
    tetra::Tetrahedron cell = any_cell(3);
    const Material mean = mean_over(cell, at).value();
    std::array<int, 4> order{0, 1, 2, 3};
    const auto corners = cell.place;
    while (std::ranges::next_permutation(order).found) {
        for (int i = 0; i < 4; ++i) cell.place[i] = corners[order[i]];
        expect_same(mean_over(cell, at).value(), mean);
    }
}

TEST_F(QuakeRock, WhatIsNoRockIsRefusedWithItsLine) {
    const auto constant = [&](const std::string& values) { return refusal(entry + values); };
    EXPECT_TRUE(says(constant("density = 0\nvp = 6000\nvs = 3000"),
                     {"case.toml:2: material.rock[].density = 0: expected a number above 0 kg m-3"}));
    EXPECT_TRUE(says(constant("density = 2700\nvp = 0\nvs = 3000"), {"case.toml:3: material.rock[].vp = 0"}));
    EXPECT_TRUE(rock(entry + "density = 1000\nvp = 1500\nvs = 0").of(any_cell(1), 1).is_liquid());
    EXPECT_TRUE(
        says(constant("density = 2700\nvp = 6000\nvs = -3000"), {"vs = -3000: expected a number above 0"}));
    EXPECT_TRUE(says(constant("density = 2700\nvp = 6000\nvs = 5197"),
                     {"case.toml:4: material.rock[].vs = 5197", "below 5196.15 m s-1 = vp √3 / 2"}));
    rock(entry + "density = 2700\nvp = 6000\nvs = 5196");
    EXPECT_TRUE(says(constant("density = 1\nlambda = -0.67\nmu = 1"),
                     {"lambda = -0.67", "above -0.666667 Pa = -2 mu / 3"}));
    rock(entry + "density = 1\nlambda = -0.66\nmu = 1");
    EXPECT_TRUE(says(constant("density = 1\nlambda = 0\nmu = 0"), {"lambda = 0", "above"}));
    EXPECT_TRUE(
        says(constant("density = 1\nlambda = 1e308\nmu = 1e308"), {"lambda = 1e+308", "within 1e30 of 0"}));
    EXPECT_TRUE(
        says(constant("density = 1\nlambda = 1\nvs = 1"), {"one of: vp and vs, lambda and mu, stiffness"}));
    EXPECT_TRUE(says(constant("density = 1\nvp = 1"), {"material.rock[].vs: expected a number m s-1"}));
    EXPECT_TRUE(says(constant(granite + "layers = [[0, 1, 2, 1]]"), {"case.toml:1", "one of: density"}));
    EXPECT_TRUE(says(constant(""), {"one of: density"}));
    EXPECT_TRUE(says(constant(granite + "outside = \"nearest\""), {"outside", "grid"}));
    EXPECT_TRUE(says(constant(granite + "qs = 50"), {"case.toml:5: material.rock[].qs"}));
}

// The sea floor is a face of the mesh, or the case is refused; at its centre each element is one or the other.
TEST_F(QuakeRock, WaterAndRockShareNoElement) {
    const std::string sea = entry + "layers = [[0, 1000, 1500, 0], [-500, 2700, 6000, 3464]]";
    EXPECT_TRUE(says(refusal_of([&] { rock(sea).of(any_cell(1), 1); }),
                     {"case.toml", "material.rock[]", "water above rock", "faces all along the sea floor"}));
    EXPECT_NO_THROW(rock("[material]\naverage = \"centre\"\n" + sea).of(any_cell(1), 1));
    const std::string waters = entry + "layers = [[0, 1000, 1500, 0], [-500, 1100, 1600, 0]]";
    const Material mean = rock(waters).of(any_cell(1), 1);
    EXPECT_EQ(mean.mu, 0.0);
    EXPECT_GT(mean.density, 1000.0);
    EXPECT_LT(mean.density, 1100.0);
    EXPECT_TRUE(
        says(refusal_of([&] { rock(entry + "density = 1000\nvp = 1500\nvs = 0\nqp = 50"); }), {"qp"}));
}

TEST_F(QuakeRock, AllKeysAreKnownWithoutACase) {
    const simulation::CaseReader reader = simulation::CaseReader::describe();
    quake::read_rock(reader.root().section("material"));
    std::vector<std::string> keys;
    for (const auto& record : reader.keys()) keys.push_back(record.key.substr(record.key.rfind('.') + 1));
    EXPECT_EQ(keys, (std::vector<std::string>{"average", "gravity", "unusual", "group", "density", "vp", "vs",
                                              "lambda", "mu", "stiffness", "qp", "qs", "layers", "gradient",
                                              "stiffness_layers", "stiffness_gradient", "grid", "outside"}));
}

TEST_F(QuakeRock, RowsThatAreNotInOrderAreRefused) {
    const auto layers = [&](const std::string& rows) { return refusal(entry + "layers = " + rows); };
    EXPECT_TRUE(says(layers("[[-1000, 2600, 4000, 2000], [0, 2700, 6000, 3464]]"),
                     {"case.toml:2: material.rock[].layers", "from the top down", "row 2 at z = 0"}));
    EXPECT_TRUE(says(layers("[[0, 2600, 4000, 2000], [0, 2700, 6000, 3464]]"), {"from the top down"}));
    EXPECT_TRUE(
        says(layers("[[0, 2600, 4000, 2000], [-1000, 2700, 3464, 6000]]"), {"in row 2", "vs = 6000"}));
    EXPECT_TRUE(says(layers("[[0, 2600, 4000]]"), {"list of [z, density, vp, vs]"}));
    EXPECT_TRUE(says(layers("[[0, 2600, 4000, nan]]"), {"list of [z, density, vp, vs]"}));
    EXPECT_TRUE(says(layers("[]"), {"list of [z, density, vp, vs]"}));
    EXPECT_TRUE(says(refusal(entry + "gradient = [[0, 2600, 4000, 2000]]"), {"two rows or more"}));
}

TEST_F(QuakeRock, EachGroupMustHaveOneRock) {
    const auto in = [&](const std::string& group) { return entry + "group = " + group + "\n" + granite; };
    EXPECT_TRUE(says(refusal(""), {"case.toml: material.rock: expected tables [[material.rock]]"}));
    EXPECT_TRUE(says(refusal(in("[1, 2]") + in("[2]"), {1, 2}),
                     {"case.toml:7: material.rock[].group = [2]", "case.toml:2 names 2"}));
    EXPECT_TRUE(says(refusal(in("[1, 1]") + in("[2]"), {1, 2}), {"each group once; 1 comes twice"}));
    EXPECT_TRUE(says(refusal(entry + granite + entry + granite), {"case.toml:5", "case.toml:1"}));
    for (const char* group : {"[]", "[1.5]", "\"1\"", "[1e300]", "1"})
        EXPECT_TRUE(says(refusal(in(group)), {"case.toml:2: material.rock[].group"})) << group;
    EXPECT_TRUE(says(refusal(in("[1, 7]"), {1, 4, 4}),
                     {"case.toml:2: material.rock[].group = 7: expected a group of the mesh: 1, 4"}));
    EXPECT_TRUE(
        says(refusal(in("[1]"), {1, 4, 4, 9}), {"case.toml", "group 4 of the mesh", "2 of its elements"}));
}

// Ranks share out the work by it: water has less than half of the unknowns.
TEST(QuakeCosts, WaterCostsHalfOfRockAndFaultsWhatTheirLawDoes) {
    std::array<tetra::Tetrahedron, 3> cell;
    cell.fill(any_cell(1));
    cell[2].boundary[1] = tetra::Boundary::fault;
    const Material any_rock{2700.0, 3.24e10, 3.24e10}, sea{1030.0, 2.3e9, 0.0};
    const auto cost = costs_of(cell, std::array{any_rock, sea, any_rock}, 2.0);
    EXPECT_EQ(2 * cost[1], cost[0]);
    EXPECT_EQ(cost[2], 2 * cost[0]);
}

}  // namespace
}  // namespace groundswell::quake
