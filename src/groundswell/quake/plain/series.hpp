#pragma once

#include <algorithm>
#include <vector>

#include "groundswell/quake/basis/matrices.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/plain/elastic.hpp"

namespace groundswell::quake::plain {

/// The derivatives in time of an element in which no wave enters, and what its mechanisms remember of it. Of the k-th derivative the
/// functions of degree order − 1 − k and less are followed: those that rock has which does not relax.
struct Series {
    std::vector<std::vector<double>> state;  ///< [k][basis][quantity], k = 0…order; zero where not followed
    std::vector<std::vector<double>>
        rate;  ///< The same with all functions that follow from the derivative before; rate[0] = state[0].
    std::vector<std::vector<double>> memory;  ///< [k][basis][mechanism][strain]
};

inline Series series_of(int order, const Element& element, std::vector<double> state,
                        std::vector<double> memory) {
    const int basis = basis_size(order), mechanisms = static_cast<int>(element.mechanisms.size());
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    std::array<Square, 3> star{};
    std::array<Matrix, 3> along;
    for (int d = 0; d < 3; ++d) {
        star[d] = jacobian(element.material, element.geometry.gradient[d]);
        along[d] = derivative(order, d);
    }
    Series all;
    for (int k = 0;; ++k) {
        all.rate.push_back(state);
        std::fill(state.begin() + basis_size(order - k) * 9, state.end(), 0.0);
        all.state.push_back(state);
        all.memory.push_back(memory);
        if (k == order) return all;
        std::vector<double> rate(state.size()), change(memory.size());
        for (int row = 0; row < basis; ++row) {
            std::array<std::array<double, 3>, 3> slope{};  // ∂v_i/∂x_j
            for (int d = 0; d < 3 && row < along[d].rows; ++d) {
                for (int column = 0; column < basis; ++column) {
                    const double m = along[d](row, column);
                    if (m == 0.0) continue;
                    const double* q = state.data() + column * 9;
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) rate[row * 9 + i] -= m * star[d][i][j] * q[j];
                    }
                    for (int i = 0; i < 3; ++i) {
                        for (int j = 0; j < 3; ++j)
                            slope[i][j] += m * q[6 + i] * element.geometry.gradient[d][j];
                    }
                }
            }
            for (int l = 0; l < mechanisms; ++l) {
                const Mechanism& m = element.mechanisms[l];
                const double* theta = memory.data() + (row * mechanisms + l) * 6;
                double* next = change.data() + (row * mechanisms + l) * 6;
                for (int i = 0; i < 6; ++i) {
                    const auto [a, b] = pair[i];
                    const double trace = a == b ? theta[0] + theta[1] + theta[2] : 0.0;
                    rate[row * 9 + i] -= m.lambda * trace + 2.0 * m.mu * theta[i];
                    next[i] = m.frequency * (0.5 * (slope[a][b] + slope[b][a]) - theta[i]);
                }
            }
        }
        state = rate;
        memory = change;
    }
}

/// Σ values[k] secondsᵏ⁺ˢ / (k + s)!: the sum at the end of a step (s = 0, all terms), or its integral (s = 1, the first `terms`).
inline std::vector<double> sum_of(const std::vector<std::vector<double>>& values, double seconds, int s,
                                  int terms) {
    std::vector<double> sum(values.front().size());
    double factor = s == 0 ? 1.0 : seconds;
    for (int k = 0; k < terms; ++k) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[k][i];
        factor *= seconds / (k + 1 + s);
    }
    return sum;
}

}  // namespace groundswell::quake::plain
