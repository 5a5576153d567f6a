// Wave fields that are known at every place: set in a field, and compared with it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "groundswell/quake/basis/quadrature.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake::test {

using State = std::array<double, 9>;

/// The polynomials of an order at the places of a rule of quadrature that is exact for their products.
class ExactField {
public:
    explicit ExactField(int order)
        : order_(order), mass_(tetrahedron_mass(order)), rule_(tetrahedron_rule(order + 2)) {
        for (const auto& point : rule_.point) basis_.push_back(tetrahedron_basis(order, point));
    }

    /// `exact(place)`: the nine unknowns.
    template <class Exact>
    void set(MadeField<double>& made, const Exact& exact) const {
        std::vector<State> sum(mass_.size());  // in water some unknowns are one place of memory
        for_each_point(made, [&](std::int32_t cell, std::size_t p, const tetra::Point& x) {
            if (p == 0) std::ranges::fill(sum, State{});
            const State state = exact(x);
            for (std::size_t k = 0; k < sum.size(); ++k) {
                for (int q = 0; q < 9; ++q)
                    sum[k][q] += rule_.weight[p] * basis_[p][k].value * state[q] / mass_[k];
            }
            if (p + 1 < rule_.size()) return;
            for (std::size_t k = 0; k < sum.size(); ++k) {
                for (int q = 0; q < 9; ++q) made.field->coefficient(cell, static_cast<int>(k), q) = sum[k][q];
            }
        });
    }

    /// `exact(place)`: what mechanisms remember.
    template <class Exact>
    void set_memory(MadeField<double>& made, const Exact& exact) const {
        for_each_point(made, [&](std::int32_t cell, std::size_t p, const tetra::Point& x) {
            const std::vector<double> memory = exact(x);
            for (int k = 0; k < basis_size(order_); ++k) {
                for (std::size_t i = 0; i < memory.size(); ++i)
                    made.field->memory_of(cell)[(k * memory.size() + i) * made.field->lanes()] +=
                        rule_.weight[p] * basis_[p][k].value * memory[i] / mass_[k];
            }
        });
    }

    /// The integrals over the box of the squares of what the field has beyond the exact unknowns.
    template <class Exact>
    State squared_error(const MadeField<double>& made, const Exact& exact) const {
        State sum{};
        for_each_point(made, [&](std::int32_t cell, std::size_t p, const tetra::Point& x) {
            const State state = exact(x);
            const double volume = tetra::geometry_of(made.mesh.cell[cell].place).volume;
            for (int q = 0; q < 9; ++q) {
                double value = -state[q];
                for (int k = 0; k < basis_size(order_); ++k)
                    value += basis_[p][k].value * made.field->coefficient(cell, k, q);
                sum[q] += 6.0 * volume * rule_.weight[p] * value * value;
            }
        });
        return sum;
    }

private:
    template <class Body>
    void for_each_point(const MadeField<double>& made, const Body& body) const {
        for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
            const auto& corner = made.mesh.cell[cell].place;
            for (std::size_t p = 0; p < rule_.size(); ++p) {
                tetra::Point x = corner[0];
                for (int d = 0; d < 3; ++d) {
                    for (int j = 0; j < 3; ++j) x[j] += rule_.point[p][d] * (corner[d + 1][j] - corner[0][j]);
                }
                body(cell, p, x);
            }
        }
    }

    int order_;
    std::vector<double> mass_;
    decltype(tetrahedron_rule(0)) rule_;
    std::vector<std::vector<ValueAndGradient<3>>> basis_;
};

}  // namespace groundswell::quake::test
