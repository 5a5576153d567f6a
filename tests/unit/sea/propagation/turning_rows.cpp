/// Spectra turned from one frame of directions to another.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/propagation/rotated_frame.hpp"

using namespace groundswell::sea;

namespace {

// A row turned by `angle`, of which directions first … first+count-1 are filled.
std::vector<double> turned(const std::vector<Real>& row, int first, int count, double angle) {
    const int n = static_cast<int>(row.size());
    groundswell::exec::Array<Real> a(row.size()), b(row.size()), to(row.size() + lanes::table_width);
    for (int d = 0; d < n; ++d) {
        const bool filled = (d - first + n) % n < count;
        a[d] = filled ? row[d] : Real(0);
        b[d] = Real(0.5);
    }
    std::fill_n(to.data(), to.size(), Real(0));
    TurningRows rows(n);
    rows.begin(SpectrumRotation(angle, n), first, count);
    rows.set(0, a.data(), b.data(), Real(2));
    rows.add(to.data(), 1);
    for (int i = 0; i < lanes::table_width; ++i) EXPECT_EQ(to[row.size() + i], Real(0)) << "behind the row";
    return {to.data(), to.data() + n};
}

std::vector<Real> filled(int n, int first, int count) {
    std::vector<Real> row(n, Real(0));
    for (int i = 0; i < count; ++i)
        row[(first + i) % n] = static_cast<Real>(1.0 + std::cos(1.7 * i) + 0.3 * (i % 3));
    return row;
}

}  // namespace

TEST(TurningRows, ATurnByWholeBinsMovesThem) {
    for (const int n : {4, 7, 16, 24, 36, 37}) {
        const int count = n / 2;
        for (int first = 0; first < n; ++first) {
            const std::vector<Real> row = filled(n, first, count);
            // A hair more than the bins, so that rounding does not fall below.
            const std::vector<double> result =
                turned(row, first, count, (3 + 1e-9) * groundswell::base::two_pi / n);
            for (int d = 0; d < n; ++d) EXPECT_NEAR(result[(d + 3) % n], row[d], 1e-5) << n << " " << first;
        }
    }
}

TEST(TurningRows, KeepsTheSumAndTheMeanDirectionAndNothingIsNegative) {
    for (const int n : {8, 24, 36}) {
        for (const double angle : {0.01, 0.4, 1.9, 3.3, -0.2, 6.2}) {
            for (const int first : {0, 1, n / 2, n - 1}) {
                const int count = n / 2 + 1;
                const std::vector<Real> row = filled(n, first, count);
                const std::vector<double> result = turned(row, first, count, angle);
                double before = 0.0, after = 0.0, x = 0.0, y = 0.0, turned_x = 0.0, turned_y = 0.0;
                for (int d = 0; d < n; ++d) {
                    const double direction = d * groundswell::base::two_pi / n;
                    before += row[d];
                    after += result[d];
                    x += row[d] * std::cos(direction + angle);
                    y += row[d] * std::sin(direction + angle);
                    turned_x += result[d] * std::cos(direction);
                    turned_y += result[d] * std::sin(direction);
                    EXPECT_GE(result[d], 0.0);
                }
                EXPECT_NEAR(after, before, 1e-5 * before);
                // Sharing a bin out over two keeps the mean direction to the second order of the bin's width.
                const double off = std::atan2(turned_y, turned_x) - std::atan2(y, x);
                EXPECT_NEAR(std::remainder(off, groundswell::base::two_pi), 0.0, 3.0 / (n * n))
                    << n << " " << angle;
            }
        }
    }
}

// Whole rows, as many as stand: the sum stays, and values lie between those of the two bins that come together.
TEST(TurningRows, AWholeRowKeepsItsSumAndItsBounds) {
    for (const int n : {4, 5, 24, 37}) {
        for (const double angle : {0.0, 0.01, 0.9, 3.3, 6.2, -0.2}) {
            groundswell::exec::Array<Real> from(n + lanes::table_width), to(n + lanes::table_width);
            std::fill_n(from.data(), from.size(), Real(-7));
            for (int d = 0; d < n; ++d) from[d] = filled(n, 0, n)[d];
            const SpectrumRotation rotation(angle, n);
            TurningRows rows(n);
            rows.turn(rotation, from.data(), to.data());
            double before = 0.0, after = 0.0;
            for (int d = 0; d < n; ++d) {
                const Real here = from[(d + n - rotation.shift) % n],
                           below = from[(d + 2 * n - rotation.shift - 1) % n];
                EXPECT_GE(to[d], std::min(here, below) - 1e-6);
                EXPECT_LE(to[d], std::max(here, below) + 1e-6);
                before += from[d];
                after += to[d];
            }
            EXPECT_NEAR(after, before, 1e-5 * before) << n << " " << angle;
        }
    }
}
