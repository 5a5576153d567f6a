#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/sea_propagation_case.hpp"

// Order of convergence in L1 against exact solutions, and the numerical diffusion of the first-order scheme.
namespace groundswell::sea {
namespace {

using namespace test;
using base::earth_radius;
using base::pi;

struct Scheme {
    const char* name;
    PropagationScheme scheme;
    bool limiter;
    double least_order;
};
const std::array<Scheme, 3> schemes{
    {{"upwind", PropagationScheme::upwind, true, 0.9},
     {"second order", PropagationScheme::second_order, true, 1.7},
     {"second order without limiter", PropagationScheme::second_order, false, 1.9}}};

PropagationOptions options_of(const Scheme& scheme, bool turning) {
    PropagationOptions options = with_scheme(scheme.scheme);
    options.limiter = scheme.limiter;
    options.turning = turning;
    return options;
}

double bell(double distance, double width) {
    return std::exp(-0.5 * distance * distance / (width * width));
}

// L1 distance of frequency 0 from exact(cell, direction), relative to the exact solution's norm.
double relative_error(const Case& sea, const std::function<double(int, int)>& exact) {
    double error = 0.0, norm = 0.0;
    for (int cell = 0; cell < sea.mesh.owned; ++cell)
        for (int d = 0; d < sea.grid.directions; ++d) {
            const double value = exact(cell, d);
            error += sea.mesh.area[cell] * std::abs(sea.at(cell, 0, d) - value);
            norm += sea.mesh.area[cell] * std::abs(value);
        }
    return error / norm;
}

void run(Case& sea, double duration) {
    const int steps = static_cast<int>(std::ceil(duration / (0.8 * sea.propagator.longest_step().seconds)));
    for (int i = 0; i < steps; ++i) sea.step(duration / steps);
}

// Along a parallel, turning off: N(λ, φ, t) = N0(λ − cg t/(R cos φ), φ) in the eastward bin.
double error_eastward(const Scheme& scheme, int k) {
    Case sea(sphere(k, 5000.0), SpectralGrid(3, 8, 0.05, 1.1), options_of(scheme, false));
    const double speed = sea.propagator.group_speed(0)[0], duration = 0.5 * earth_radius / speed;
    const auto blob = [&](int cell, double travelled) {
        const double lat = sea.mesh.lat[cell];
        const double lon =
            std::remainder(sea.mesh.lon[cell] - travelled / (earth_radius * std::cos(lat)), 2 * pi);
        return bell(std::hypot(lon * std::cos(lat), lat - 0.4), 0.3);
    };
    sea.fill([&](int cell, int f, int d) { return f == 0 && d == 0 ? blob(cell, 0.0) : 0.0; });
    run(sea, duration);
    return relative_error(sea, [&](int cell, int d) { return d == 0 ? blob(cell, speed * duration) : 0.0; });
}

TEST(PropagationConvergence, EastwardOnTheSphere) {
    for (const Scheme& scheme : schemes) {
        const double coarse = error_eastward(scheme, 24), fine = error_eastward(scheme, 48);
        EXPECT_GT(std::log2(coarse / fine), scheme.least_order)
            << scheme.name << ": " << coarse << " " << fine;
    }
}

// Every direction at once on a patch so small that it is flat: N(x, t) = N0(x − cg d t), turning on (S = 0
// there).
double error_oblique(const Scheme& scheme, int cells) {
    const double size = 10e3, spacing = size / cells;
    const int rows = static_cast<int>(std::ceil(cells * 2.0 / std::sqrt(3.0)));
    Case sea(patch(cells, rows, spacing, [](double, double) { return 1000.0; }), SpectralGrid(3, 8, 0.1, 1.1),
             options_of(scheme, true));
    const double speed = sea.propagator.group_speed(0)[0], duration = 0.2 * size / speed;
    const auto blob = [&](int cell, int d, double time) {
        const double x = earth_radius * sea.mesh.lon[cell] - sea.grid.cosine[d] * speed * time;
        const double y = earth_radius * sea.mesh.lat[cell] - sea.grid.sine[d] * speed * time;
        return bell(std::hypot(x, y), 0.07 * size);
    };
    sea.fill([&](int cell, int f, int d) { return f == 0 ? blob(cell, d, 0.0) : 0.0; });
    run(sea, duration);
    return relative_error(sea, [&](int cell, int d) { return blob(cell, d, duration); });
}

TEST(PropagationConvergence, ObliqueDirectionsOnAPlane) {
    for (const Scheme& scheme : schemes) {
        const double coarse = error_oblique(scheme, 64), fine = error_oblique(scheme, 128);
        EXPECT_GT(std::log2(coarse / fine), scheme.least_order)
            << scheme.name << ": " << coarse << " " << fine;
    }
}

using Vector = std::array<double, 3>;
Vector unit(double lon, double lat) {
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}
double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Everything together: a smooth blob in space and direction on the sphere, at 0° E. M = M0 at the start of the great
// circle that leads to (position, direction). Mesh and directions are refined together.
double error_great_circle(const Scheme& scheme, int k, int directions, double latitude) {
    Case sea(sphere(k, 5000.0), SpectralGrid(3, directions, 0.05, 1.1), options_of(scheme, true));
    const double speed = sea.propagator.group_speed(0)[0], angle = 0.3;
    // Most of it goes 0.3 rad to the left of east.
    const Vector centre = unit(0.0, latitude), east = unit(0.5 * pi, 0.0),
                 north = unit(pi, 0.5 * pi - latitude);
    Vector ahead{};
    for (int i = 0; i < 3; ++i) ahead[i] = std::cos(0.3) * east[i] + std::sin(0.3) * north[i];
    const auto start = [&](const Vector& place, const Vector& heading) {
        const double distance = std::acos(std::clamp(dot(place, centre), -1.0, 1.0));
        return bell(distance, 0.25) * std::pow(0.5 + 0.5 * dot(heading, ahead), 2);
    };
    const auto solution = [&](int cell, int d, double travelled) {
        const double lon = sea.mesh.lon[cell], lat = sea.mesh.lat[cell], theta = sea.grid.direction[d];
        const Vector up = unit(lon, lat), to_east = unit(lon + 0.5 * pi, 0.0),
                     to_north = unit(lon + pi, 0.5 * pi - lat);
        Vector place{}, heading{};
        for (int i = 0; i < 3; ++i) {
            const double now = std::cos(theta) * to_east[i] + std::sin(theta) * to_north[i];
            place[i] = std::cos(travelled) * up[i] - std::sin(travelled) * now;
            heading[i] = std::sin(travelled) * up[i] + std::cos(travelled) * now;
        }
        return start(place, heading);
    };
    sea.fill([&](int cell, int f, int d) { return f == 0 ? solution(cell, d, 0.0) : 0.0; });
    run(sea, angle * earth_radius / speed);
    return relative_error(sea, [&](int cell, int d) { return solution(cell, d, angle); });
}

TEST(PropagationConvergence, GreatCirclesWithTurning) {
    for (const Scheme& scheme : schemes) {
        const double coarse = error_great_circle(scheme, 16, 24, 0.2),
                     fine = error_great_circle(scheme, 32, 48, 0.2);
        EXPECT_GT(std::log2(coarse / fine), scheme.least_order)
            << scheme.name << ": " << coarse << " " << fine;
    }
}

// Spectra are turned with a limiter whatever the scheme has.
void expect_order_over_the_pole(int k, int directions, double least_order) {
    for (const Scheme& scheme : schemes) {
        if (scheme.scheme == PropagationScheme::upwind) continue;
        const double coarse = error_great_circle(scheme, k, directions, 1.45),
                     fine = error_great_circle(scheme, 2 * k, 2 * directions, 1.45),
                     elsewhere = error_great_circle(scheme, 2 * k, 2 * directions, 0.2);
        EXPECT_GT(std::log2(coarse / fine), least_order) << scheme.name << ": " << coarse << " " << fine;
        EXPECT_LT(fine, 3.0 * elsewhere) << scheme.name;
    }
}

// All of it in cells whose frames turn, with the coarse mesh, and most with the fine one.
TEST(PropagationConvergence, GreatCirclesOverThePole) {
    expect_order_over_the_pole(16, 24, 1.7);
}
// With finer ones, most and half of it.
TEST(PropagationConvergenceLong, GreatCirclesOverThePole) {
    expect_order_over_the_pole(24, 36, 1.9);
}

// However narrow the bins: their number stays, and finer cells alone take the error away.
TEST(PropagationConvergence, ManyDirectionsOverThePole) {
    const Scheme& scheme = schemes[1];
    const double coarse = error_great_circle(scheme, 16, 144, 1.45),
                 fine = error_great_circle(scheme, 32, 144, 1.45);
    EXPECT_GT(std::log2(coarse / fine), scheme.least_order) << scheme.name << ": " << coarse << " " << fine;
}

// Variance along x grows by 2 D t with D = |c| Δx (1 − CFL)/2. On hexagons with rows along x, upwinding
// through the edges at 0° and ±60° acts like Δx = 5h/6 (expand the three differences): exact for any shape.
TEST(PropagationDiffusion, FirstOrderUpwindDiffusesByHalfACellLessTheCourantNumber) {
    const double spacing = 1000.0;
    PropagationOptions options;
    options.turning = false;
    Case sea(patch(120, 30, spacing, [](double, double) { return 1000.0; }), SpectralGrid(3, 16, 0.1, 1.1),
             options);
    const auto x_of = [&](int cell) { return earth_radius * sea.mesh.lon[cell]; };
    sea.fill([&](int cell, int f, int d) {
        return f == 0 && d == 0 ? bell(std::hypot(x_of(cell) + 25e3, earth_radius * sea.mesh.lat[cell]), 3e3)
                                : 0.0;
    });
    const auto variance = [&] {
        double sum = 0.0, first = 0.0, second = 0.0;
        for (int cell = 0; cell < sea.mesh.owned; ++cell) {
            const double n = sea.at(cell, 0, 0) * sea.mesh.area[cell], x = x_of(cell);
            sum += n;
            first += n * x;
            second += n * x * x;
        }
        return second / sum - first * first / (sum * sum);
    };
    const double speed = sea.propagator.group_speed(0)[0], step_length = 5.0 / 6.0 * spacing;
    for (const double courant : {0.2, 0.8}) {
        const double before = variance(), dt = courant * step_length / speed;
        const int steps = static_cast<int>(15e3 / (speed * dt));
        for (int i = 0; i < steps; ++i) sea.step(dt);
        const double diffusion = speed * step_length * (1.0 - courant) / 2.0;
        EXPECT_NEAR((variance() - before) / (2.0 * diffusion * steps * dt), 1.0, 0.005)
            << "Courant number " << courant;
    }
}

}  // namespace
}  // namespace groundswell::sea
