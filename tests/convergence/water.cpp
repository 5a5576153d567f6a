// Water over rock, against exact solutions: waves that the sea floor reflects and lets through, and those that run along it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "support/quake/exact_field.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;
using Complex = std::complex<double>;
using Wave = std::array<Complex, 9>;

constexpr double pi = std::numbers::pi;
constexpr Complex i{0.0, 1.0};

Material with_speeds(double density, double vp, double vs) {
    return {density, density * (vp * vp - 2.0 * vs * vs), density * vs * vs};
}

// The plane wave of velocity d exp(i (kx x + kz z)) at one place, where ∂/∂t is −iω.
Wave plane(const Material& m, Complex dx, Complex dz, Complex kx, Complex kz, double omega) {
    const Complex dilatation = kx * dx + kz * dz, per = -1.0 / omega;
    Wave q{};
    q[0] = per * (m.lambda * dilatation + 2.0 * m.mu * kx * dx);
    q[1] = per * m.lambda * dilatation;
    q[2] = per * (m.lambda * dilatation + 2.0 * m.mu * kz * dz);
    q[5] = per * m.mu * (kx * dz + kz * dx);
    q[6] = dx;
    q[8] = dz;
    return q;
}

// Vertical wave number; where waves decay, of those that do so along `sign` z.
Complex vertical(double omega, double speed, double kx, double sign) {
    const double square = omega * omega / (speed * speed) - kx * kx;
    return square >= 0.0 ? Complex(sign * std::sqrt(square)) : Complex(0.0, sign * std::sqrt(-square));
}

std::vector<Complex> solve(std::vector<std::vector<Complex>> a, std::vector<Complex> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t r = k; r < n; ++r)
            if (std::abs(a[r][k]) > std::abs(a[best][k])) best = r;
        std::swap(a[k], a[best]);
        std::swap(b[k], b[best]);
        for (std::size_t r = k + 1; r < n; ++r) {
            const Complex factor = a[r][k] / a[k][k];
            for (std::size_t c = k; c < n; ++c) a[r][c] -= factor * a[k][c];
            b[r] -= factor * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t c = k + 1; c < n; ++c) b[k] -= a[k][c] * b[c];
        b[k] /= a[k][k];
    }
    return b;
}

// Harmonic waves at a sea floor at z = 0, kx along it: one that comes down through the water with amplitude 1, if it does, and
// those up in the water, and P and S down in the rock.
struct SeaFloor {
    Material water, rock;
    double kx, omega;
    bool incident = true;
    Complex up = 0.0, p = 0.0, s = 0.0;  // amplitudes of velocity

    Wave of(int which, bool in_water) const {
        const double c = water.vp(), vp = rock.vp(), vs = rock.vs();
        if (in_water) {
            const Complex kz = vertical(omega, c, kx, which == 0 ? -1.0 : 1.0);
            return plane(water, kx * c / omega, kz * c / omega, kx, kz, omega);
        }
        if (which == 0) {
            const Complex kz = vertical(omega, vp, kx, -1.0);
            return plane(rock, kx * vp / omega, kz * vp / omega, kx, kz, omega);
        }
        const Complex kz = vertical(omega, vs, kx, -1.0);
        return plane(rock, kz * vs / omega, -kx * vs / omega, kx, kz, omega);
    }
    // Conditions at the sea floor: σzz and vz agree, σxz = 0. The columns: up, P, S.
    std::vector<std::vector<Complex>> conditions() const {
        const Wave u = of(1, true), a = of(0, false), b = of(1, false);
        return {{u[2], -a[2], -b[2]}, {u[8], -a[8], -b[8]}, {0.0, a[5], b[5]}};
    }
    void reflect() {
        const Wave down = of(0, true);
        const auto found = solve(conditions(), {-down[2], -down[8], 0.0});
        up = found[0];
        p = found[1];
        s = found[2];
    }
    // `parts`: 1 what comes down, 2 the rest.
    Wave at(double z, int parts = 3) const {
        Wave q{};
        const auto add = [&](const Wave& one, Complex amplitude, Complex kz) {
            for (int n = 0; n < 9; ++n) q[n] += one[n] * amplitude * std::exp(i * kz * z);
        };
        if (z > 0.0) {
            if (incident && (parts & 1) != 0) add(of(0, true), 1.0, vertical(omega, water.vp(), kx, -1.0));
            if ((parts & 2) != 0) add(of(1, true), up, vertical(omega, water.vp(), kx, 1.0));
        } else if ((parts & 2) != 0) {
            add(of(0, false), p, vertical(omega, rock.vp(), kx, -1.0));
            add(of(1, false), s, vertical(omega, rock.vs(), kx, -1.0));
        }
        return q;
    }
};

// Water above z = 0 and rock below, periodic along x and y.
MadeField<double> sea(int order, double height, double depth, const Material& water, const Material& rock) {
    FieldOfBox wanted;
    wanted.box.cubes = {4, 4, static_cast<std::int64_t>(height + depth)};
    wanted.box.origin = {0.0, 0.0, -depth};
    wanted.box.length = {4.0, 4.0, height + depth};
    wanted.box.periodic = {true, true, false};
    wanted.material = [=](const tetra::Point& at) { return at[2] > 0.0 ? water : rock; };
    wanted.order = order;
    return make_field<double>(MPI_COMM_SELF, wanted);
}

// A packet of waves that fall on the sea floor at z = 0 from the height `from`, once the time is `t`: a sum of harmonic waves.
class Packet {
public:
    Packet(const Material& water, const Material& rock, double kx, double kz, double from, double width) {
        const double spacing = 2.0 * pi / 80.0;
        for (int n = 1; n < 120; ++n) {
            const double k = n * spacing, off = (k - kz) * width;
            if (std::abs(off) > 6.0) continue;
            SeaFloor wave{water, rock, kx, water.vp() * std::hypot(kx, k)};
            wave.reflect();
            waves_.push_back(wave);
            amplitude_.push_back(spacing * width * std::exp(-0.5 * off * off) * std::exp(i * k * from));
        }
    }
    State at(const tetra::Point& x, double t, int parts = 3, Complex turn = 1.0) const {
        State q{};
        for (std::size_t n = 0; n < waves_.size(); ++n) {
            const Complex phase =
                turn * amplitude_[n] * std::exp(i * (waves_[n].kx * x[0] - waves_[n].omega * t));
            const Wave wave = waves_[n].at(x[2], parts);
            for (int u = 0; u < 9; ++u) q[u] += std::real(phase * wave[u]);
        }
        return q;
    }

private:
    std::vector<SeaFloor> waves_;
    std::vector<Complex> amplitude_;
};

double norm(const State& squares, bool stress) {
    double sum = 0.0;
    for (int q = 0; q < 9; ++q)
        if ((q < 6) == stress) sum += squares[q];
    return std::sqrt(sum);
}

// After the packet has met the floor the field is what is reflected and what has gone through, within this share of it; and so are
// the coefficients.
void expect_reflection(int order, double kx, double kz, double height, double depth, double from,
                       double width, double seconds, double within) {
    const Material water = with_speeds(1.0, 1.0, 0.0), rock = with_speeds(2.0, 2.0, 1.2);
    auto made = sea(order, height, depth, water, rock);
    const Packet packet(water, rock, kx, kz, from, width);
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return packet.at(x, 0.0, x[2] > 0.0 ? 1 : 2); });
    while (made.field->time() < seconds) made.field->advance();
    const double t = made.field->time();
    for (const bool in_water : {true, false}) {
        const auto there = [&](const tetra::Point& x) { return (x[2] > 0.0) == in_water; };
        const auto of = [&](double share) {
            return exact.squared_error(made, [&](const tetra::Point& x) {
                State q = packet.at(x, t, 2);
                // What the other side has does not count.
                for (double& one : q) one *= there(x) ? share : 0.0;
                return q;
            });
        };
        // |f - a e|² for a = -1, 0 and 1 gives ⟨f, e⟩ and |e|², and with them the coefficient over the exact one.
        const State less = of(-1.0), none = of(0.0), more = of(1.0);
        double product = 0.0, square = 0.0, apart = 0.0;
        for (int q = 0; q < 9; ++q) {
            product += 0.25 * (less[q] - more[q]);
            square += 0.5 * (less[q] + more[q]) - none[q];
        }
        const double coefficient = product / square;
        apart = std::abs(coefficient - 1.0);
        std::printf("order %d, kx %.2f, %s: coefficient over the exact one - 1 = %.2e\n", order, kx,
                    in_water ? "reflected" : "let through", coefficient - 1.0);
        EXPECT_LT(apart, within) << (in_water ? "reflected" : "let through");
    }
    const State off = exact.squared_error(made, [&](const tetra::Point& x) { return packet.at(x, t, 2); });
    const State all = exact.squared_error(made, [&](const tetra::Point&) { return State{}; });
    for (const bool stress : {true, false}) {
        std::printf("%s off by %.2e\n", stress ? "stress" : "velocity",
                    norm(off, stress) / norm(all, stress));
        EXPECT_LT(norm(off, stress), 10.0 * within * norm(all, stress));
    }
}

TEST(WaterLong, TheSeaFloorReflectsWithTheExactCoefficients) {
    expect_reflection(5, 0.0, 1.2, 9.0, 9.0, 5.0, 1.1, 9.0, 1e-3);
    // 41° off the normal, beyond the critical angle of P, where waves are 2.6 elements long; a few of the packet's graze, and are late.
    expect_reflection(5, 0.5 * pi, 1.8, 19.0, 21.0, 8.5, 2.2, 22.0, 4e-3);
}

// The Scholte wave decays into both; its speed is where the conditions have a solution without a wave that falls in.
TEST(WaterLong, ScholteWavesHaveTheirSpeedAndShape) {
    const Material water = with_speeds(1.0, 1.0, 0.0), rock = with_speeds(2.0, 1.6, 0.8);
    const double kx = 0.5 * pi;
    const auto determinant = [&](double speed) {
        const auto a = SeaFloor{water, rock, kx, speed * kx, false}.conditions();
        // Its phase is the same for all speeds that decay.
        const Complex d = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                          a[1][0] * (a[0][1] * a[2][2] - a[0][2] * a[2][1]);
        return std::abs(d.real()) > std::abs(d.imag()) ? d.real() : d.imag();
    };
    double low = 0.3, high = 0.79;
    ASSERT_LT(determinant(low) * determinant(high), 0.0);
    for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        (determinant(low) * determinant(middle) > 0.0 ? low : high) = middle;
    }
    SeaFloor wave{water, rock, kx, low * kx, false};
    const auto a = wave.conditions();
    const auto rest = solve({{a[1][1], a[1][2]}, {a[2][1], a[2][2]}}, {-a[1][0], -a[2][0]});
    wave.up = 1.0;
    wave.p = rest[0];
    wave.s = rest[1];
    const auto at = [&](const tetra::Point& x, double t, Complex turn) {
        const Wave q = wave.at(x[2]);
        State state{};
        for (int n = 0; n < 9; ++n)
            state[n] = std::real(turn * q[n] * std::exp(i * (kx * x[0] - wave.omega * t)));
        return state;
    };
    auto made = sea(5, 7.0, 9.0, water, rock);
    const ExactField exact(5);
    exact.set(made, [&](const tetra::Point& x) { return at(x, 0.0, 1.0); });
    while (made.field->time() < 2.0 * 2.0 * pi / wave.omega) made.field->advance();
    const double t = made.field->time();
    const auto product = [&](Complex turn) {
        const State less = exact.squared_error(made, [&](const tetra::Point& x) { return at(x, t, -turn); });
        const State more = exact.squared_error(made, [&](const tetra::Point& x) { return at(x, t, turn); });
        double sum = 0.0;
        for (int q = 0; q < 9; ++q) sum += 0.25 * (less[q] - more[q]);
        return sum;
    };
    const State off = exact.squared_error(made, [&](const tetra::Point& x) { return at(x, t, 1.0); });
    const State all = exact.squared_error(made, [&](const tetra::Point&) { return State{}; });
    const double lag = std::atan2(product(i), product(1.0)) / (wave.omega * t);
    std::printf("Scholte speed %.6f; off by %.2e of it; stress off by %.2e, velocity by %.2e\n", low, lag,
                norm(off, true) / norm(all, true), norm(off, false) / norm(all, false));
    EXPECT_LT(std::abs(lag), 1e-3);
    EXPECT_LT(norm(off, true), 5e-3 * norm(all, true));
    EXPECT_LT(norm(off, false), 5e-3 * norm(all, false));
}

}  // namespace
