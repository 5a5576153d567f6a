#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "groundswell/sea/spectrum/dispersion.hpp"
#include "support/sea_propagation_case.hpp"

// Swell in deep water on a steady current that changes along one axis. Along a ray the absolute frequency ω = σ + k·U, the wave
// number along the other axis and M = N/J are kept (J = k/cg = 2σ³/g²), so that the spectrum is known everywhere:
// N(σ, θ) = (σ/σ0)³ N0(σ0, θ0). For one wave that is c/c0 = ½(1 + √(1 + 4U/c0)) and E/E0 = c0²/(c(c + 2U)) along the current
// (Longuet-Higgins & Stewart 1961, J. Fluid Mech. 10, 529–549), and E/E0 = sin 2α0/sin 2α across it.
namespace groundswell::sea {
namespace {

using namespace test;
using base::earth_radius, base::gravity;

constexpr double spacing = 1000.0, peak = 0.1;

struct Swell {
    double width = 0.008;                 // Hz
    double towards = 0.0, spread = 0.09;  // rad
    double operator()(double frequency, double direction) const {
        return std::exp(-0.5 * std::pow((frequency - peak) / width, 2) -
                        0.5 * std::pow(std::remainder(direction - towards, base::two_pi) / spread, 2));
    }
};

struct Sea {
    double variance, wave_number, direction;  // of it all: ∫∫ σN, its mean wave number, its mean direction
};

class Sums {
public:
    void add(double action, double sigma, double k, double theta, double bin) {
        const double e = action * sigma * bin;
        variance_ += e;
        wave_number_ += e * k;
        x_ += e * std::cos(theta);
        y_ += e * std::sin(theta);
    }
    Sea sea() const { return {variance_, wave_number_ / variance_, std::atan2(y_, x_)}; }

private:
    double variance_ = 0.0, wave_number_ = 0.0, x_ = 0.0, y_ = 0.0;
};

// Where the current is (u, 0), coming from where there is none. `along`: it changes along x, else along y.
Sea exact(const Swell& swell, double u, bool along) {
    Sums sums;
    const int pieces = 150;
    for (int i = 0; i < pieces; ++i)
        for (int j = 0; j < pieces; ++j) {
            const double f = 0.03 + 0.25 * (i + 0.5) / pieces,
                         theta = swell.towards + 1.2 * ((j + 0.5) / pieces - 0.5);
            const double sigma = base::two_pi * f, k = sigma * sigma / gravity;
            const double sigma0 = sigma + k * std::cos(theta) * u, k0 = sigma0 * sigma0 / gravity;
            const double kept = along ? k * std::sin(theta) / k0 : k * std::cos(theta) / k0;
            // Beyond cg + U = 0 there is only what comes back.
            const bool blocked = along && 0.5 * sigma / k * std::cos(theta) + u <= 0.0;
            if (sigma0 <= 0.0 || std::abs(kept) >= 1.0 || blocked) continue;
            const double theta0 = along ? std::asin(kept) : std::acos(kept);
            sums.add(std::pow(sigma / sigma0, 3) * swell(sigma0 / base::two_pi, theta0), sigma, k, theta,
                     1.0);
        }
    return sums.sea();
}

struct Stream : Case {
    Stream(int columns, int rows, const SpectralGrid& grid_, const PropagationOptions& options)
        : Case(patch(columns, rows, spacing, [](double, double) { return 4000.0; }), grid_, options) {}

    double x(int cell) const { return earth_radius * mesh.lon[cell]; }
    double y(int cell) const { return earth_radius * mesh.lat[cell]; }

    void set_current(const std::function<double(double x, double y)>& eastward) {
        std::vector<CellForcing> cells(mesh.total);
        for (int cell = 0; cell < mesh.total; ++cell)
            cells[cell].eastward_current = static_cast<Real>(eastward(x(cell), y(cell)));
        propagator.set_water(cells, nullptr);
    }
    void run(const Swell& swell, double seconds, const std::function<bool(double x, double y)>& held) {
        run([&](double, double frequency, double direction) { return swell(frequency, direction); }, seconds,
            held);
    }
    /// `swell`: of y, frequency and direction.
    void run(const std::function<double(double, double, double)>& swell, double seconds,
             const std::function<bool(double x, double y)>& held) {
        double dt = seconds;
        for (const double step : propagator.steps_now()) dt = std::min(dt, 0.95 * step);
        for (double t = 0.0; t < seconds; t += dt) {
            for (int cell = 0; cell < mesh.owned; ++cell) {
                if (!held(x(cell), y(cell))) continue;
                for (int f = 0; f < grid.frequencies; ++f)
                    for (int d = 0; d < grid.directions; ++d)
                        at(cell, f, d) =
                            static_cast<Real>(swell(y(cell), grid.frequency[f], grid.direction[d]));
            }
            step(dt);
        }
    }
    Sea sea(int cell) const {
        Sums sums;
        for (int f = 0; f < grid.frequencies; ++f)
            for (int d = 0; d < grid.directions; ++d)
                sums.add(at(cell, f, d), grid.sigma[f], grid.sigma[f] * grid.sigma[f] / gravity,
                         grid.direction[d], grid.frequency_width[f]);
        return sums.sea();
    }
};

PropagationOptions streaming() {
    PropagationOptions options = with_scheme(PropagationScheme::second_order);
    options.currents = true;
    return options;
}

// E over that where the swell begins, against the same of theory: bins and integral have the same swell, summed otherwise.
double height_error(const Sea& found, const Sea& found_at_start, const Sea& truth, const Sea& start) {
    return std::sqrt(found.variance / found_at_start.variance / (truth.variance / start.variance)) - 1.0;
}

// Swell runs east into a current that grows to ±1 m/s within 10 km.
TEST(Currents, WavesAlongACurrentAreAsHighAndLongAsTheoryHasThem) {
    for (const double fastest : {1.0, -1.0}) {
        Stream stream(26, 12, SpectralGrid(30, 24, 0.07, 1.03), streaming());
        const auto speed = [=](double x) { return fastest * std::clamp((x + 8e3) / 10e3, 0.0, 1.0); };
        stream.set_current([&](double x, double) { return speed(x); });
        const Swell swell{0.006, 0.0, 0.12};
        stream.run(swell, 5400.0, [](double x, double y) { return x < -10e3 || std::abs(y) > 4e3; });
        const Sea start = exact(swell, 0.0, true);
        Sea first{};
        for (int cell = 0; cell < stream.mesh.owned; ++cell)
            if (std::abs(stream.y(cell)) < 500.0 && std::abs(stream.x(cell) + 11e3) < 600.0)
                first = stream.sea(cell);
        int looked_at = 0;
        for (int cell = 0; cell < stream.mesh.owned; ++cell) {
            const double x = stream.x(cell);
            if (std::abs(stream.y(cell)) > 500.0 || x < -7e3 || x > 8e3) continue;
            const Sea truth = exact(swell, speed(x), true), found = stream.sea(cell);
            EXPECT_NEAR(height_error(found, first, truth, start), 0.0, 0.01)
                << x << " m, " << speed(x) << " m/s";
            EXPECT_NEAR(found.wave_number / truth.wave_number, 1.0, 0.01)
                << x << " m, " << speed(x) << " m/s";
            ++looked_at;
        }
        EXPECT_GT(looked_at, 10);
        // The formula for one wave, with the peak's.
        const double c0 = gravity / (base::two_pi * peak),
                     c = 0.5 * c0 * (1.0 + std::sqrt(1.0 + 4.0 * fastest / c0));
        EXPECT_NEAR(
            exact(swell, fastest, true).variance / start.variance * (c * (c + 2.0 * fastest)) / (c0 * c0),
            1.0, 0.02);
    }
}

// Across a shear, swell towards 60° from east: the current turns it and changes its height.
TEST(Currents, AShearTurnsWavesAsTheoryHasIt) {
    for (const double fastest : {2.0, -2.0}) {
        Stream stream(22, 26, SpectralGrid(24, 48, 0.075, 1.03), streaming());
        const auto speed = [=](double y) { return fastest * std::clamp((y + 7e3) / 10e3, 0.0, 1.0); };
        stream.set_current([&](double, double y) { return speed(y); });
        const Swell swell{0.006, base::pi / 3.0, 0.12};
        // The sides hold what theory has there.
        const auto here = [&](double y, double frequency, double direction) {
            const double sigma = base::two_pi * frequency, k = sigma * sigma / gravity;
            const double sigma0 = sigma + k * std::cos(direction) * speed(y), k0 = sigma0 * sigma0 / gravity;
            const double kept = k * std::cos(direction) / k0;
            if (sigma0 <= 0.0 || std::abs(kept) >= 1.0 || std::sin(direction) < 0.0) return 0.0;
            return std::pow(sigma / sigma0, 3) * swell(sigma0 / base::two_pi, std::acos(kept));
        };
        stream.run(here, 3000.0, [](double x, double y) { return y < -9e3 || std::abs(x) > 9e3; });
        const Sea start = exact(swell, 0.0, false);
        Sea first{};
        for (int cell = 0; cell < stream.mesh.owned; ++cell)
            if (std::abs(stream.x(cell)) < 500.0 && std::abs(stream.y(cell) + 9.9e3) < 600.0)
                first = stream.sea(cell);
        for (int cell = 0; cell < stream.mesh.owned; ++cell) {
            const double y = stream.y(cell);
            if (std::abs(stream.x(cell)) > 500.0 || y < -7e3 || y > 7e3) continue;
            const Sea truth = exact(swell, speed(y), false), found = stream.sea(cell);
            EXPECT_NEAR(height_error(found, first, truth, start), 0.0, 0.01)
                << y << " m, " << speed(y) << " m/s";
            EXPECT_NEAR(found.direction / base::degree, truth.direction / base::degree, 0.5) << y << " m";
        }
    }
}

// A ring of current, anticlockwise, 1 m/s fast at 5 km from its middle.
constexpr double ring_radius = 5e3, ring_speed = 1.0;
std::pair<double, double> ring(double x, double y) {
    const double q = (x * x + y * y) / (ring_radius * ring_radius);
    const double turn = ring_speed / ring_radius * std::exp(0.5 * (1.0 - q));
    return {-turn * y, turn * x};
}

// The spectrum at a place by rays in deep water, traced back to the line y = `from` where the swell is known: a Runge-Kutta
// integrator of dx/dt = cg + U, dk/dt = −(∇U) k, with the gradients by differences. Beyond |x| = `side` nothing comes in.
Sea by_rays(const Swell& swell, double x0, double y0, double from, double side) {
    struct Ray {
        double x, y, k_x, k_y;
    };
    const auto rate = [](const Ray& r) {
        const double k = std::hypot(r.k_x, r.k_y), group = 0.5 * std::sqrt(gravity / k), h = 10.0;
        const auto [u, v] = ring(r.x, r.y);
        const auto [u_e, v_e] = ring(r.x + h, r.y);
        const auto [u_w, v_w] = ring(r.x - h, r.y);
        const auto [u_n, v_n] = ring(r.x, r.y + h);
        const auto [u_s, v_s] = ring(r.x, r.y - h);
        return Ray{-(group * r.k_x / k + u), -(group * r.k_y / k + v),
                   ((u_e - u_w) * r.k_x + (v_e - v_w) * r.k_y) / (2.0 * h),
                   ((u_n - u_s) * r.k_x + (v_n - v_s) * r.k_y) / (2.0 * h)};
    };
    const auto moved = [](const Ray& r, const Ray& by, double t) {
        return Ray{r.x + t * by.x, r.y + t * by.y, r.k_x + t * by.k_x, r.k_y + t * by.k_y};
    };
    Sums sums;
    const int frequencies = 14, directions = 60;
    const double step = 40.0;
    for (int i = 0; i < frequencies; ++i)
        for (int j = 0; j < directions; ++j) {
            const double sigma = base::two_pi * (0.078 + 0.044 * (i + 0.5) / frequencies);
            const double theta = swell.towards + 1.2 * ((j + 0.5) / directions - 0.5);
            const double k = sigma * sigma / gravity;
            Ray r{x0, y0, k * std::cos(theta), k * std::sin(theta)};
            for (int n = 0; n < 1000 && r.y > from && std::abs(r.x) < side; ++n) {
                const Ray a = rate(r), b = rate(moved(r, a, 0.5 * step)), c = rate(moved(r, b, 0.5 * step)),
                          d = rate(moved(r, c, step));
                r = moved(moved(moved(moved(r, a, step / 6.0), b, step / 3.0), c, step / 3.0), d, step / 6.0);
            }
            if (r.y > from) continue;
            const double sigma0 = std::sqrt(gravity * std::hypot(r.k_x, r.k_y));
            sums.add(std::pow(sigma / sigma0, 3) * swell(sigma0 / base::two_pi, std::atan2(r.k_y, r.k_x)),
                     sigma, k, theta, 1.0);
        }
    return sums.sea();
}

// Swell of 10 s towards north through the ring, in cells of 1 km and directions of 7.5°.
TEST(CurrentsLong, ARingBendsWavesAsRaysHaveIt) {
    Stream stream(34, 40, SpectralGrid(16, 48, 0.079, 1.03), streaming());
    std::vector<CellForcing> cells(stream.mesh.total);
    for (int cell = 0; cell < stream.mesh.total; ++cell) {
        const auto [u, v] = ring(stream.x(cell), stream.y(cell));
        cells[cell].eastward_current = static_cast<Real>(u);
        cells[cell].northward_current = static_cast<Real>(v);
    }
    stream.propagator.set_water(cells, nullptr);
    const Swell swell{0.005, 0.5 * base::pi, 0.15};
    stream.run(swell, 6000.0, [](double, double y) { return y < -14e3; });
    const Sea start = by_rays(swell, 0.0, -15e3, -14e3, 16e3);
    Sea first{};
    for (int cell = 0; cell < stream.mesh.owned; ++cell)
        if (std::abs(stream.x(cell)) < 600.0 && std::abs(stream.y(cell) + 14.9e3) < 600.0)
            first = stream.sea(cell);
    int looked_at = 0;
    for (int cell = 0; cell < stream.mesh.owned; ++cell) {
        const double x = stream.x(cell), y = stream.y(cell);
        if (std::abs(y - 10e3) > 450.0 || std::abs(x) > 7e3) continue;
        const Sea truth = by_rays(swell, x, y, -14e3, 16.5e3), found = stream.sea(cell);
        // Between −3 and −1 km lies a caustic, where the height of rays changes by half from cell to cell.
        if (x > -3.5e3 && x < -0.5e3) continue;
        EXPECT_NEAR(height_error(found, first, truth, start), 0.0, 0.05) << x;
        EXPECT_NEAR(found.direction / base::degree, truth.direction / base::degree, 1.5) << x;
        ++looked_at;
    }
    EXPECT_GT(looked_at, 8);
}

// An opposing current that grows to 6 m/s: waves of 0.1 Hz stop where it is c0/4 = 3.90 m/s, come back shorter, and leave at the
// last frequency; energy stays bounded.
TEST(Currents, WavesAreBlockedWhereTheCurrentIsAQuarterOfTheirSpeed) {
    Stream stream(36, 9, SpectralGrid(50, 16, 0.092, 1.03), streaming());
    const auto speed = [](double x) { return -6.0 * std::clamp((x + 14e3) / 30e3, 0.0, 1.0); };
    stream.set_current([&](double x, double) { return speed(x); });
    const Swell swell{0.001, 0.0, 0.1};
    stream.run(swell, 12000.0, [](double x, double) { return x < -15e3; });
    const double blocked = -14e3 + 30e3 * gravity / (base::two_pi * peak) / 4.0 / 6.0;
    double most = 0.0, place = 0.0, beyond = 0.0;
    for (int cell = 0; cell < stream.mesh.owned; ++cell) {
        if (std::abs(stream.y(cell)) > 500.0) continue;
        const double x = stream.x(cell), energy = stream.sea(cell).variance;
        ASSERT_TRUE(energy >= 0.0 && energy < 100.0) << x;
        if (energy > most) {
            most = energy;
            place = x;
        }
        if (x > blocked + 2.0 * spacing) beyond = std::max(beyond, energy);
    }
    // The waves pile up there, and are gone behind the cell that follows.
    EXPECT_NEAR(place, blocked, 1.05 * spacing);
    EXPECT_LT(beyond, 0.06 * most);
}

// In a channel whose level rises and falls by a tide, waves keep their length: σ² = gk tanh kd(t).
TEST(Currents, ATideShiftsFrequenciesAsTheDepthHasIt) {
    PropagationOptions options = with_scheme(PropagationScheme::second_order);
    options.levels = true;
    const double depth = 10.0, amplitude = 2.0;
    Case channel(patch(3, 3, spacing, [=](double, double) { return depth; }),
                 SpectralGrid(46, 12, 0.05, 1.03), options);
    channel.fill([&](int, int f, int) {
        return std::exp(-0.5 * std::pow((channel.grid.frequency[f] - peak) / 0.008, 2));
    });
    const auto mean = [&] {
        double sum = 0.0, action = 0.0;
        for (int f = 0; f < channel.grid.frequencies; ++f) {
            const double n = channel.at(0, f, 3) * channel.grid.frequency_width[f];
            sum += n * channel.grid.sigma[f];
            action += n;
        }
        return sum / action;
    };
    const auto truth = [&](double level) {
        double sum = 0.0, action = 0.0;
        for (double f = 0.055; f < 0.16; f += 1e-4) {
            const double n = std::exp(-0.5 * std::pow((f - peak) / 0.008, 2)),
                         k = wave_number(base::two_pi * f, depth);
            sum += n * std::sqrt(gravity * k * std::tanh(k * (depth + level)));
            action += n;
        }
        return sum / action;
    };
    const double start = mean();
    const int steps = 48;
    for (int i = 1; i <= steps; ++i) {
        const double level = amplitude * std::sin(base::two_pi * i / steps);
        CellForcing now;
        now.water_level = static_cast<Real>(level);
        const std::vector<CellForcing> cells(channel.mesh.total, now);
        channel.propagator.set_water(cells, [&](std::int32_t cell) { return &channel.at(cell, 0, 0); });
        if (std::abs(level) > 0.5 * amplitude) {
            EXPECT_NEAR((mean() - start) / (truth(level) - truth(0.0)), 1.0, 0.01) << level;
        }
    }
    EXPECT_NEAR(mean() / start, 1.0, 1e-3);
}

}  // namespace
}  // namespace groundswell::sea
