// Packs of faces against faces one at a time: a lane of a pack has what its face has alone, whatever the other lanes do.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "groundswell/quake/fault/kernel.hpp"
#include "groundswell/quake/fault/laws/laws.hpp"
#include "groundswell/quake/kernels/pack.hpp"

namespace groundswell::quake {
namespace {

constexpr int lanes = native_lanes<double>;
using FacePack = Pack<double, lanes>;

/// What a step of faces reads and writes: of a pack (FacePack), or of one of its faces (double).
template <class Value>
struct Faces {
    FaultFace<Value> face{};
    std::vector<Value> plus, minus, initial, parameter, state, traction, thermal, heat;

    FaultBatch<Value> batch() {
        return {&face,          plus.data(),
                minus.data(),   initial.data(),
                nullptr,        parameter.data(),
                state.data(),   traction.data(),
                thermal.data(), heat.empty() ? nullptr : heat.data()};
    }
};

/// Faces that differ, pressed by some 120 MPa and about to slip, between whose sides waves pass.
Faces<FacePack> make_faces(const FaultRule& rule, const std::vector<double>& parameter) {
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    const auto about = [&](double value, double apart) {
        FacePack pack;
        for (int lane = 0; lane < lanes; ++lane) pack[lane] = value + apart * between(generator);
        return pack;
    };
    Faces<FacePack> faces;
    FaultFace<FacePack>& f = faces.face;
    const FacePack one = about(1.0, 0.0);
    f.normal[1] = f.strike[0] = one;
    f.dip[2] = -one;
    const FacePack zp = about(1.6e7, 1e6), zs = about(9.2e6, 5e5);
    f.per_zp_plus = f.per_zp_minus = 1.0 / zp;
    f.per_zs_plus = f.per_zs_minus = 1.0 / zs;
    f.eta_p = 0.5 * zp;
    f.eta_s = 0.5 * zs;
    for (int i = 0; i < 6 * FaultRule::rows(rule.order); ++i) {
        const double size = i % 6 < 3 ? 1e6 : 0.1;
        faces.plus.push_back(about(0.0, size));
        faces.minus.push_back(about(0.0, size));
    }
    for (const double stress : {-120e6, 80e6, 5e6})
        for (int p = 0; p < rule.points(); ++p) faces.initial.push_back(about(stress, 0.1 * stress));
    for (const double value : parameter)
        for (int p = 0; p < rule.points(); ++p) faces.parameter.push_back(about(value, 0.02 * value));
    faces.state.resize(static_cast<std::size_t>(kept_states * rule.points()));
    faces.traction.resize(static_cast<std::size_t>(3 * rule.basis));
    return faces;
}

/// Slip heats, in zones of some millimetres.
void make_hot(const FaultRule& rule, Faces<FacePack>& faces) {
    for (const double number : {4e-3, 4e-4}) {
        for (int p = 0; p < rule.points(); ++p) {
            FacePack pack;
            for (int lane = 0; lane < lanes; ++lane) pack[lane] = number * (1.0 + 0.1 * lane + 0.01 * p);
            faces.thermal.push_back(pack);
        }
    }
    faces.heat.resize(static_cast<std::size_t>(thermal_values * rule.points()));
}

Faces<double> face_of(const Faces<FacePack>& faces, int lane) {
    const auto own = [&](const std::vector<FacePack>& packs) {
        std::vector<double> values;
        for (const FacePack& pack : packs) values.push_back(pack[lane]);
        return values;
    };
    Faces<double> one{{},
                      own(faces.plus),
                      own(faces.minus),
                      own(faces.initial),
                      own(faces.parameter),
                      own(faces.state),
                      own(faces.traction),
                      own(faces.thermal),
                      own(faces.heat)};
    const auto* packs = reinterpret_cast<const FacePack*>(&faces.face);
    auto* values = reinterpret_cast<double*>(&one.face);
    for (std::size_t i = 0; i < sizeof(one.face) / sizeof(double); ++i) values[i] = packs[i][lane];
    return one;
}

/// Two steps of 2 ms from the start on.
template <class Law, int order, class Value>
void take_steps(const FaultRule& rule, const std::vector<double>& of_fault, Faces<Value>& faces) {
    std::vector<double> smoothing;
    for (int p = 0; p < rule.points(); ++p) {
        for (int r = 0; r < rule.points(); ++r) {
            double sum = 0.0;
            for (int m = 0; m < rule.basis; ++m)
                sum += rule.at[p * rule.basis + m] * rule.onto[m * rule.points() + r];
            smoothing.push_back(sum);
        }
    }
    FaultStep step{0.0, 2e-3, of_fault.data(), {}, smoothing.data()};
    const ThermalNumbers thermal{1e-6, 2.7e6, 1e5};
    step.thermal = &thermal;
    start_fault<Law>(rule, step, faces.batch());
    for (int i = 0; i < 2; ++i, step.time += step.length) solve_fault<Law, order>(rule, step, faces.batch());
}

template <class Law, int order>
void expect_lanes_as_alone(const std::vector<double>& parameter, const std::vector<double>& of_fault,
                           bool hot = false) {
    const FaultRule rule(order);
    Faces<FacePack> together = make_faces(rule, parameter);
    if (hot) make_hot(rule, together);
    const Faces<FacePack> start = together;
    take_steps<Law, order>(rule, of_fault, together);
    double slip = 0.0;
    for (int lane = 0; lane < lanes; ++lane) {
        Faces<double> alone = face_of(start, lane);
        take_steps<Law, order>(rule, of_fault, alone);
        const Faces<double> found = face_of(together, lane);
        const int points = rule.points();
        for (int state = 0; state < kept_states; ++state) {
            double largest = 0.0, apart = 0.0;
            for (int p = 0; p < points; ++p) {
                const double expected = alone.state[state * points + p];
                largest = std::max(largest, std::abs(expected));
                apart = std::max(apart, std::abs(expected - found.state[state * points + p]));
            }
            EXPECT_LE(apart, 1e-9 * largest) << "order " << order << " state " << state;
            if (state == slip_path) slip = std::max(slip, largest);
        }
        // Some points of a face hold and stay cold; which ones, chance says anew for each number of lanes.
        double warmest = 0.0;
        for (int p = 0; p < points; ++p) {
            const double warm = found.state[warming * points + p];
            EXPECT_EQ(warm > 0.0, found.state[pore_pressure * points + p] > 0.0)
                << "lane " << lane << " point " << p;
            warmest = std::max(warmest, warm);
        }
        EXPECT_EQ(hot, warmest > 0.0) << "lane " << lane;
        for (std::size_t i = 0; i < alone.traction.size(); ++i)
            EXPECT_NEAR(found.traction[i], alone.traction[i], 1e-9 * 80e6) << "order " << order;
    }
    EXPECT_GT(slip, 1e-5);
}

template <class Law>
void expect_lanes_as_alone(const std::vector<double>& parameter, const std::vector<double>& of_fault) {
    expect_lanes_as_alone<Law, 2>(parameter, of_fault);
    expect_lanes_as_alone<Law, 4>(parameter, of_fault);
}

TEST(FaultKernels, SlipWeakeningInAPackIsAsAlone) {
    expect_lanes_as_alone<LinearSlipWeakening>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.0});
    expect_lanes_as_alone<LinearSlipWeakening>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.5});
    expect_lanes_as_alone<BimaterialSlipWeakening>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.0, 1.0, 0.01});
    expect_lanes_as_alone<ExponentialSlipWeakening>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.0});
    expect_lanes_as_alone<PowerLawSlipWeakening>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.0, 0.4});
    expect_lanes_as_alone<VelocityWeakening>({0.6, 0.02, 0.15, 0.1}, {0.1});
}

TEST(FaultKernels, RateAndStateInAPackIsAsAlone) {
    expect_lanes_as_alone<RateAndState<Ageing>>({0.008, 0.012, 0.02, 1e-2}, {1e-6, 0.6});
    expect_lanes_as_alone<RateAndState<SlipLaw>>({0.008, 0.012, 0.02, 1e-2}, {1e-6, 0.6});
    expect_lanes_as_alone<RateAndState<FastWeakening>>({0.01, 0.014, 0.4, 0.1, 0.2, 1e-2}, {1e-6, 0.6});
}

TEST(FaultKernels, SlipThatHeatsInAPackIsAsAlone) {
    expect_lanes_as_alone<RateAndState<FastWeakening>, 4>({0.01, 0.014, 0.4, 0.1, 0.2, 1e-2}, {1e-6, 0.6},
                                                          true);
    expect_lanes_as_alone<LinearSlipWeakening, 3>({0.6, 0.5, 0.1, 1e6, 1e30}, {0.0, 0.0}, true);
}

TEST(FaultKernels, GivenSlipInAPackIsAsAlone) {
    expect_lanes_as_alone<ImposedYoffe>({1.0, 0.4, 0.001, 0.5, 0.01}, {});
    expect_lanes_as_alone<ImposedGaussian>({1.0, 0.4, 0.001, 0.01}, {});
}

// A face on which only the function m of the normal traction changes, by 1 MPa times that, and all of which slips: what strength
// was follows from the slip rate.
template <int order>
void expect_felt(FacePressure pressure) {
    const FaultRule rule(order, FacePoints::symmetric, pressure);
    const int points = rule.points(),
              felt = pressure == FacePressure::full ? rule.basis : FaultRule::smooth_functions(order);
    constexpr double zp = 1.6e7, zs = 9.2e6, size = 1e6, friction_then = 0.5, shear = 80e6;
    for (int m = 0; m < rule.basis; ++m) {
        Faces<double> faces;
        faces.face.normal[1] = faces.face.strike[0] = 1.0;
        faces.face.dip[2] = -1.0;
        faces.face.per_zp_plus = faces.face.per_zp_minus = 1.0 / zp;
        faces.face.per_zs_plus = faces.face.per_zs_minus = 1.0 / zs;
        faces.face.eta_p = 0.5 * zp;
        faces.face.eta_s = 0.5 * zs;
        faces.plus.resize(static_cast<std::size_t>(6 * FaultRule::rows(order)));
        faces.minus = faces.plus;
        faces.plus[6 * m + 1] = size;  // pulled by both sides alike
        faces.minus[6 * m + 1] = -size;
        for (const double stress : {-120e6, shear, 0.0})
            faces.initial.insert(faces.initial.end(), points, stress);
        for (const double value : {friction_then, friction_then, 0.1, 0.0, 1e30})
            faces.parameter.insert(faces.parameter.end(), points, value);
        faces.state.resize(static_cast<std::size_t>(kept_states * points));
        faces.traction.resize(static_cast<std::size_t>(3 * rule.basis));
        take_steps<LinearSlipWeakening, order>(rule, {0.0, 0.0}, faces);
        double work = 0.0;
        for (int p = 0; p < points; ++p) {
            const double change = size * rule.at[p * rule.basis + m];
            const double strength = shear - 0.5 * zs * faces.state[rate_strike * points + p];
            EXPECT_NEAR(120e6 - strength / friction_then, m < felt ? change : 0.0, 1e-9 * 120e6)
                << order << ' ' << m;
            // Both sides are pulled by all of it, whatever strength feels.
            EXPECT_NEAR(faces.state[normal_change * points + p], change, 1e-9 * size) << order << ' ' << m;
            work += rule.place.weight[p] * faces.state[friction_work * points + p];
        }
        EXPECT_GT(work, 0.0) << order << ' ' << m;
    }
}

template <int order>
void expect_felt() {
    expect_felt<order>(FacePressure::full);
    expect_felt<order>(FacePressure::smooth);
}

TEST(FaultKernels, StrengthFeelsTheNormalStressThatItIsSaidToFeel) {
    expect_felt<2>();
    expect_felt<3>();
    expect_felt<4>();
    expect_felt<5>();
    expect_felt<6>();
    expect_felt<7>();
}

}  // namespace
}  // namespace groundswell::quake
