// A force and a moment tensor in rock without end, against the exact solution.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "groundswell/mesh/tetra/locate.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;
using tetra::Point;

const Material rock{1.0, 2.0, 1.0};  // P waves of speed 2, S waves of speed 1

// Displacement along axis i at r from a force along axis j that is a Gaussian in time about `centre` (K. Aki and P. G.
// Richards 2002, "Quantitative Seismology", equation 4.23); with `velocity` its derivative in time.
double of_force(const Point& r, int i, int j, double t, double centre, double width, bool velocity) {
    const double distance = std::hypot(r[0], r[1], r[2]);
    const double along = r[i] * r[j] / (distance * distance), same = i == j ? 1.0 : 0.0;
    const auto pulse = [&](double s) {
        const double a = (s - centre) / width;
        return std::exp(-0.5 * a * a) / (width * std::sqrt(2.0 * std::numbers::pi));
    };
    const auto shape = [&](double s) {
        return velocity ? -(s - centre) / (width * width) * pulse(s) : pulse(s);
    };
    const double p = distance / rock.vp(), s = distance / rock.vs();
    // ∫ τ shape(t − τ) from p to s, by Simpson's rule.
    constexpr int pieces = 400;
    double near = 0.0;
    for (int n = 0; n <= pieces; ++n) {
        const double tau = p + (s - p) * n / pieces;
        near += (n == 0 || n == pieces ? 1.0 : n % 2 == 1 ? 4.0 : 2.0) * tau * shape(t - tau);
    }
    near *= (s - p) / pieces / 3.0;
    const double pi4 = 4.0 * std::numbers::pi * rock.density;
    return (3.0 * along - same) / (pi4 * std::pow(distance, 3)) * near +
           along / (pi4 * rock.vp() * rock.vp() * distance) * shape(t - p) -
           (along - same) / (pi4 * rock.vs() * rock.vs() * distance) * shape(t - s);
}

// Velocity at r from a moment tensor that grows as the integral of the Gaussian: the displacement of forces a little way to
// both sides.
double of_moment(const Point& r, int i, const std::array<double, 6>& moment, double t, double centre,
                 double width) {
    constexpr int of[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    constexpr double apart = 1e-4;
    double sum = 0.0;
    for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
            Point ahead = r, behind = r;
            ahead[k] -= apart;
            behind[k] += apart;
            sum += moment[of[j][k]] *
                   (of_force(ahead, i, j, t, centre, width, false) -
                    of_force(behind, i, j, t, centre, width, false)) /
                   (2.0 * apart);
        }
    }
    return sum;
}

// Relative rms of the velocity at three places, from a source in the middle of the box, until the waves come back from
// its faces.
double misfit(int order, int rate, const PointSource& source, double centre, double width) {
    FieldOfBox wanted;
    wanted.box.cubes = {12, 12, 12};
    wanted.box.length = {10.0, 10.0, 10.0};
    wanted.box.boundary[2][1] = tetra::Boundary::absorbing;
    wanted.box.jitter = 0.1;
    wanted.material = [](const Point&) { return rock; };
    wanted.order = order;
    wanted.rate = rate;
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const std::vector<Point> places{{6.4, 5.9, 5.6}, {3.9, 5.7, 6.5}, {5.4, 3.2, 4.3}, source.place};
    const auto found = tetra::locate(MPI_COMM_SELF, made.mesh, places);
    made.field->add_source(found[3].cell, found[3].reference, source);
    double error = 0.0, size = 0.0;
    for (int place = 0; place < 3; ++place) {
        made.field->add_probe(
            found[place].cell, found[place].reference, {[&, place](const Glimpse& glimpse) {
                constexpr double every = 0.02;
                for (auto n = static_cast<std::int64_t>(std::ceil(glimpse.from / every));
                     every * n < glimpse.to; ++n) {
                    const double t = every * static_cast<double>(n);
                    Point r{};
                    for (int j = 0; j < 3; ++j) r[j] = places[place][j] - source.place[j];
                    for (int i = 0; i < 3; ++i) {
                        double exact = of_moment(r, i, source.moment, t, centre, width);
                        for (int j = 0; j < 3; ++j)
                            exact += source.force[j] * of_force(r, i, j, t, centre, width, true);
                        error += std::pow(glimpse.value(6 + i, t - glimpse.from) - exact, 2);
                        size += exact * exact;
                    }
                }
            }});
    }
    while (made.field->time() < 4.0) made.field->advance();
    return std::sqrt(error / size);
}

constexpr double centre = 1.2, width = 0.35;

PointSource a_force() {
    PointSource source;
    source.place = {5.03, 4.96, 5.05};
    source.rate = gaussian(centre, width);
    source.force = {1.0, -0.5, 0.3};
    return source;
}

PointSource a_moment() {
    PointSource source = a_force();
    source.force = {};
    source.moment = double_couple(1.0, 0.6, 1.1, -0.4);
    return source;
}

// The places lie about two elements from the source. What polynomials in one element miss of a point falls with the order as
// a power of that distance; the limits leave it room.
void expect_errors(const std::vector<std::pair<int, double>>& limits) {
    for (const PointSource& source : {a_force(), a_moment()}) {
        double before = 1.0;
        for (const auto& [order, limit] : limits) {
            const double error = misfit(order, 2, source, centre, width);
            std::printf("order %d: relative rms %.4f\n", order, error);
            EXPECT_LT(error, limit);
            EXPECT_LT(error, 0.8 * before);
            before = error;
        }
    }
}

TEST(FullSpace, AForceAndAMomentRadiateAsTheyShould) {
    expect_errors({{3, 0.3}, {4, 0.15}});
}

TEST(FullSpaceLong, HigherOrdersRadiateBetter) {
    expect_errors({{4, 0.15}, {5, 0.08}, {6, 0.06}});
}

}  // namespace
