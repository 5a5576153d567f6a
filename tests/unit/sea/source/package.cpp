#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using test::usual_grid;

TEST(SeaSourcePackage, NothingBecomesNegativeInAnySea) {
    std::mt19937 random(20240906);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (const int directions : {36, 24, 13}) {
        for (const double depth : {2.0, 15.0, 4000.0}) {
            for (int trial = 0; trial < 10; ++trial) {
                sea::PhysicsOptions options;
                options.tune(trial % 2 == 0 ? "ecwam" : "ww3");
                OneCell cell(sea::SpectralGrid(30, directions, 0.04, 1.1), options, depth);
                for (int i = 0; i < 30; ++i) {
                    const double top = 5.0 * std::pow(10.0, -5.0 * unit(random));
                    for (int j = 0; j < directions; ++j) {
                        if (unit(random) < 0.5) cell.set_energy(i, j, top * unit(random));
                    }
                }
                for (int step = 0; step < 20; ++step) {
                    cell.set_wind(60.0 * unit(random), 2 * base::pi * unit(random));
                    ASSERT_TRUE(cell.step(step % 2 == 0 ? 900.0 : 30.0));
                    for (int bin = 0; bin < cell.grid.bins(); ++bin) {
                        ASSERT_GE(cell.action[static_cast<std::size_t>(bin)], 0.0)
                            << directions << " directions, depth " << depth << ", bin " << bin;
                    }
                    ASSERT_LT(cell.height(), 100.0);
                }
            }
        }
    }
}

TEST(SeaSourcePackage, ATurnedSeaUnderATurnedWindTurnsOnly) {
    // Directions have no preferred one: nine bins of 10° are a right angle.
    OneCell a(usual_grid(), sea::PhysicsOptions{}, 12.0), b(usual_grid(), sea::PhysicsOptions{}, 12.0);
    sea::fill_wind_sea(a.grid, {}, 14.0, 0.35, a.action.data());
    sea::fill_wind_sea(b.grid, {}, 14.0, 0.35 + base::pi / 2, b.action.data());
    a.set_wind(17.0, 0.8);
    b.set_wind(17.0, 0.8 + base::pi / 2);
    ASSERT_TRUE(a.run(1800.0, 300.0));
    ASSERT_TRUE(b.run(1800.0, 300.0));
    double largest = 0;
    for (int i = 0; i < 35; ++i) {
        for (int j = 0; j < 36; ++j) largest = std::max(largest, a.energy(i, j));
    }
    for (int i = 0; i < 35; ++i) {
        for (int j = 0; j < 36; ++j) EXPECT_NEAR(a.energy(i, j), b.energy(i, (j + 9) % 36), 1e-3 * largest);
    }
    EXPECT_NEAR(a.height(), b.height(), 1e-4 * a.height());
}

TEST(SeaSourcePackage, TailFallsAsTheFifthPowerBeyondTheCutoff) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 5000.0);
    sea::fill_wind_sea(cell.grid, {}, 20.0, 0.0, cell.action.data());
    cell.set_wind(20.0, 0.0);
    ASSERT_TRUE(cell.run(3600.0, 300.0));
    const int cutoff = cell.workspace.sea.cutoff;
    ASSERT_LT(cutoff, 33);
    // The one above the cutoff is diagnostic in part.
    for (int i = cutoff + 1; i + 1 < 35; ++i) {
        EXPECT_NEAR(cell.energy(i + 1, 0) / cell.energy(i, 0), std::pow(1.1, -5), 1e-4);
    }
}

TEST(SeaSourcePackage, AStepDependsOnTheCellAlone) {
    // The workspace carries nothing from one cell to the next.
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 30.0);
    sea::fill_wind_sea(cell.grid, {}, 12.0, 0.0, cell.action.data());
    cell.set_wind(12.0, 0.2);
    const std::vector<sea::Real> start = cell.action;
    const sea::SourceState before = cell.state;
    ASSERT_TRUE(cell.step(300.0));
    const std::vector<sea::Real> first = cell.action;
    sea::fill_wind_sea(cell.grid, {}, 40.0, 2.0, cell.action.data());
    ASSERT_TRUE(cell.step(300.0));
    cell.action = start;
    cell.state = before;
    ASSERT_TRUE(cell.step(300.0));
    EXPECT_EQ(cell.action, first);
}

// S = -rate·E with its derivative: what the semi-implicit integration and the limiter do to it.
class Sink : public sea::SourceTerm {
public:
    explicit Sink(double rate) : rate_(static_cast<sea::Real>(rate)) {}
    std::string_view name() const override { return "sink"; }
    void add(const sea::SeaCell& sea, sea::SourceSum& sum, sea::SourceWorkspace& workspace) const override {
        for (std::size_t bin = 0; bin < workspace.energy.size(); ++bin) {
            sum.source[bin] -= rate_ * sea.energy[bin];
            sum.derivative[bin] -= rate_;
        }
    }

private:
    sea::Real rate_;
};

TEST(SeaSourcePackage, IntegratesSemiImplicitlyWithinTheLimiter) {
    // ΔE = -Δt r E/(1 + Δt r), at most C g ũ f_m f⁻⁴ Δt with ũ = 5.6e-3 g/f in calm air.
    const double rate = 1e-2, step = 300.0, start = 20.0;
    for (const double limiter : {1.0, 5e-7}) {
        sea::PhysicsOptions options = test::only({});
        options.set("growth_limiter", limiter);
        OneCell cell(usual_grid(), options, 5000.0);
        cell.package->append(std::make_unique<Sink>(rate));
        cell.workspace = cell.package->make_workspace();
        cell.set_energy(12, 0, start);
        cell.evaluate("sink", step);
        const double f = cell.grid.frequency[12], mean = cell.workspace.sea.mean_frequency;
        const double most =
            limiter * base::gravity * (5.6e-3 * base::gravity / f) * mean / std::pow(f, 4) * step;
        const double change = std::min(step * rate * start / (1 + step * rate), most);
        ASSERT_TRUE(cell.step(step));
        EXPECT_NEAR(cell.energy(12, 0), start - change, 1e-5 * start) << "limiter " << limiter;
        EXPECT_EQ(most < step * rate * start / (1 + step * rate), limiter < 1.0);  // both cases occur
    }
}

// A source term of one's own: drag on all waves, as by a field of kelp. This is all there is to write.
class Kelp : public sea::SourceTerm {
public:
    Kelp(int frequencies, double rate) : frequencies_(frequencies), rate_(static_cast<sea::Real>(rate)) {}
    std::string_view name() const override { return "kelp"; }
    void add(const sea::SeaCell&, sea::SourceSum& sum, sea::SourceWorkspace&) const override {
        for (int i = 0; i < frequencies_; ++i) sum.decay[i] += rate_;
    }

private:
    int frequencies_;
    sea::Real rate_;
};

TEST(SeaSourcePackage, TakesATermFromOutside) {
    OneCell cell(usual_grid(), test::only({}), 20.0);
    cell.package->append(std::make_unique<Kelp>(35, 1e-4));
    cell.workspace = cell.package->make_workspace();
    cell.set_energy(10, 3, 2.0);
    ASSERT_TRUE(cell.run(3600.0, 300.0));
    EXPECT_NEAR(cell.energy(10, 3), 2.0 * std::exp(-0.36), 1e-5);
}

TEST(SeaSourcePackage, NamesTheTermThatWentWrongAndLeavesTheCellAsItWas) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 50.0);
    sea::fill_wind_sea(cell.grid, {}, 12.0, 0.0, cell.action.data());
    cell.set_wind(12.0, 0.0);
    ASSERT_TRUE(cell.step(300.0));
    EXPECT_EQ(cell.package->blame(cell.action.data(), cell.conditions, 300, cell.state, cell.workspace), "");

    cell.package->append(std::make_unique<Kelp>(35, std::numeric_limits<double>::quiet_NaN()));
    cell.workspace = cell.package->make_workspace();
    const std::vector<sea::Real> before = cell.action;
    const sea::SourceState state = cell.state;
    EXPECT_FALSE(cell.step(300.0));
    EXPECT_EQ(cell.action, before);
    EXPECT_EQ(cell.state.friction_velocity, state.friction_velocity);
    EXPECT_EQ(cell.state.wave_stress_x, state.wave_stress_x);
    EXPECT_EQ(cell.package->blame(cell.action.data(), cell.conditions, 300, cell.state, cell.workspace),
              "kelp");

    cell.set_energy(4, 4, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(cell.package->blame(cell.action.data(), cell.conditions, 300, cell.state, cell.workspace),
              "action");
    cell.set_energy(4, 4, 0.0);
    cell.set_wind(std::numeric_limits<double>::quiet_NaN(), 0.0);
    EXPECT_FALSE(cell.step(300.0));
    EXPECT_EQ(cell.package->blame(cell.action.data(), cell.conditions, 300, cell.state, cell.workspace),
              "wind_input");
}

// A wind input of one's own: u* = 0.05 U.
class Bulk : public sea::WindTerm {
public:
    std::string_view name() const override { return "bulk"; }
    void meet_air(sea::SeaCell& sea, sea::SourceState& state, sea::SourceWorkspace&) const override {
        sea.friction_velocity = state.friction_velocity = sea::Real(0.05) * sea.wind_speed;
    }
    void add(const sea::SeaCell&, sea::SourceSum&, sea::SourceWorkspace&) const override {}
};

TEST(SeaSourcePackage, AWindInputMeetsTheAirBeforeAllTermsWhereverItIsListed) {
    for (const bool first : {true, false}) {
        OneCell cell(
            usual_grid(),
            test::only(first ? std::vector<std::string>{} : std::vector<std::string>{"linear_growth"}),
            5000.0);
        cell.package->append(std::make_unique<Bulk>());
        EXPECT_EQ(cell.package->wind_term(), cell.package->terms() - 1);
        cell.workspace = cell.package->make_workspace();
        cell.set_wind(10.0, 0.0);
        ASSERT_TRUE(cell.step(300.0));
        EXPECT_FLOAT_EQ(static_cast<float>(cell.state.friction_velocity), 0.5f);
        // The growth from calm goes as u*⁴: with the friction velocity of no air it would be nothing.
        EXPECT_EQ(cell.height() > 1e-4, !first);
    }
}

TEST(SeaSourcePackage, BitsOfTheAirDoNotDependOnTheOrderOfTheTerms) {
    sea::PhysicsOptions options, turned;
    std::ranges::reverse(turned.terms);
    OneCell a(usual_grid(), options, 30.0), b(usual_grid(), turned, 30.0);
    for (OneCell* cell : {&a, &b}) {
        sea::fill_wind_sea(cell->grid, {}, 14.0, 0.35, cell->action.data());
        cell->set_wind(17.0, 0.8);
        ASSERT_TRUE(cell->step(300.0));
    }
    EXPECT_EQ(a.state.friction_velocity, b.state.friction_velocity);
    EXPECT_EQ(a.state.wave_stress_x, b.state.wave_stress_x);
    EXPECT_EQ(a.workspace.sea.cutoff, b.workspace.sea.cutoff);
    EXPECT_NEAR(a.height(), b.height(), 1e-5 * a.height());
}

TEST(SeaSourcePackage, HasOneWindInputAtMost) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 20.0);
    EXPECT_THROW(cell.package->append(std::make_unique<Bulk>()), base::Defect);
}

TEST(SeaSourceOptions, EveryCoefficientHasNameMeaningAndSourceAndItsDefaultIsInRange) {
    const sea::PhysicsOptions defaults;
    sea::PhysicsOptions other;
    std::vector<std::string_view> names;
    for (const std::string& tuning : sea::physics_tunings("st4")) {
        other.tune(tuning);
        for (const sea::Coefficient& c : sea::physics_coefficients()) {
            EXPECT_FALSE(c.name.empty());
            EXPECT_FALSE(c.meaning.empty()) << c.name;
            EXPECT_FALSE(c.source.empty()) << c.name;
            for (const double value : {c.usual, other[c]}) {
                EXPECT_GE(value, c.minimum) << c.name;
                EXPECT_LE(value, c.maximum) << c.name;
            }
        }
    }
    other.tune("ecwam");
    for (const sea::Coefficient& c : sea::physics_coefficients()) {
        EXPECT_EQ(other[c], c.usual) << c.name;
        EXPECT_EQ(defaults[c], c.usual) << c.name;
        names.push_back(c.name);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(SeaSourceOptions, WordsThatNoTermOrPackageHasAreDefects) {
    sea::PhysicsOptions options;
    EXPECT_THROW(options.set("wind_groth", 1.0), base::Defect);
    EXPECT_THROW(options.value("wind_groth"), base::Defect);
    EXPECT_THROW(options.choose("st9"), base::Defect);
    EXPECT_THROW(options.tune("st4"), base::Defect);
}

TEST(SeaSourceOptions, APackageIsAListOfTermsAndATuningChangesNumbersOnly) {
    sea::PhysicsOptions options;
    const std::vector<std::string> terms = options.terms;
    options.set("bottom_friction", 0.067);
    options.tune("ww3");
    EXPECT_EQ(options.terms, terms);
    EXPECT_EQ(options.value("wind_growth"), 1.43);
    EXPECT_EQ(options.value("bottom_friction"), 0.067);  // the same in both tunings
    options.choose("none");
    EXPECT_TRUE(options.terms.empty());
    EXPECT_EQ(options.value("wind_growth"), 1.20);
}

}  // namespace
}  // namespace groundswell
