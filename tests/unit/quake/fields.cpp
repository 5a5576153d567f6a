// Fields that follow from the unknowns, on plane waves whose stress, divergence and curl are known.
#include "groundswell/quake/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace groundswell::quake {
namespace {

using Vector = std::array<double, 3>;
constexpr double lambda = 2.0e10, mu = 3.0e10, density = 2700.0, wave_number = 0.004, amplitude = 0.3;

/// v = amplitude · d cos φ at a phase φ of a wave along n.
class PlaneWave final : public WaveSample {
public:
    PlaneWave(const Vector& n, const Vector& d, double speed, double phase)
        : n_(n), d_(d), speed_(speed), phase_(phase) {}

    double unknown(int which) const override {
        constexpr int i[] = {0, 1, 2, 0, 1, 0}, j[] = {0, 1, 2, 1, 2, 2};
        if (which >= first_velocity) return amplitude * d_[which - first_velocity] * std::cos(phase_);
        const double trace = n_[0] * d_[0] + n_[1] * d_[1] + n_[2] * d_[2];
        return strain() * (mu * (n_[i[which]] * d_[j[which]] + d_[i[which]] * n_[j[which]]) +
                           (i[which] == j[which] ? lambda * trace : 0.0));
    }
    double slope(int which, int axis) const override {
        return -amplitude * d_[which - first_velocity] * wave_number * n_[axis] * std::sin(phase_);
    }
    double plastic_strain() const override { return 0.0; }
    /// Of the wave: v over −c.
    double strain() const { return -amplitude * std::cos(phase_) / speed_; }

private:
    Vector n_, d_;
    double speed_, phase_;
};

const Vector along{0.48, -0.6, 0.64};
const Vector across{0.8, 0.0, -0.6};  // at a right angle to it
const Vector aside{0.36, 0.8, 0.48};  // along × across

double value(const char* name, const WaveSample& sample) {
    return find_field(name).value(sample);
}

TEST(Fields, OfAPWaveStretchAlongItsWayAndHaveNoCurl) {
    for (const double phase : {0.3, 2.5, 4.0}) {
        const PlaneWave wave(along, along, std::sqrt((lambda + 2.0 * mu) / density), phase);
        const double lengthwise = (lambda + 2.0 * mu) * wave.strain(), sideways = lambda * wave.strain();
        // Two of them are alike, where the arc cosine has half the digits.
        const double tolerance = 1e-7 * std::abs(lengthwise);
        EXPECT_NEAR(value("smax", wave), std::max(lengthwise, sideways), tolerance);
        EXPECT_NEAR(value("smid", wave), sideways, tolerance);
        EXPECT_NEAR(value("smin", wave), std::min(lengthwise, sideways), tolerance);
        EXPECT_NEAR(value("divergence", wave), -amplitude * wave_number * std::sin(phase), 1e-15);
        for (const char* curl : {"curl_x", "curl_y", "curl_z"}) EXPECT_NEAR(value(curl, wave), 0.0, 1e-15);
    }
}

TEST(Fields, OfAnSWaveShearAndTurnAboutTheDirectionAcrossBoth) {
    for (const double phase : {0.3, 2.5, 4.0}) {
        const PlaneWave wave(along, across, std::sqrt(mu / density), phase);
        const double shear = mu * std::abs(wave.strain());
        EXPECT_NEAR(value("smax", wave), shear, 1e-9 * shear);
        EXPECT_NEAR(value("smid", wave), 0.0, 1e-9 * shear);
        EXPECT_NEAR(value("smin", wave), -shear, 1e-9 * shear);
        EXPECT_NEAR(value("divergence", wave), 0.0, 1e-15);
        const double turn = -amplitude * wave_number * std::sin(phase);
        EXPECT_NEAR(value("curl_x", wave), turn * aside[0], 1e-15);
        EXPECT_NEAR(value("curl_y", wave), turn * aside[1], 1e-15);
        EXPECT_NEAR(value("curl_z", wave), turn * aside[2], 1e-15);
    }
}

TEST(Fields, OfPressureAloneArePrincipalInAnyDirection) {
    class Pressed final : public WaveSample {
        double unknown(int which) const override { return which < 3 ? -5e6 : 0.0; }
        double slope(int, int) const override { return 0.0; }
        double plastic_strain() const override { return 0.0; }
    };
    for (const char* name : {"smax", "smid", "smin"}) EXPECT_EQ(value(name, Pressed{}), -5e6);
}

}  // namespace
}  // namespace groundswell::quake
