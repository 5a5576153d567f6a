// The scheme as its papers write it (M. Dumbser and M. Käser 2006, doi:10.1111/j.1365-246X.2006.03120.x): weak form, dense
// matrices, fluxes by eigenvectors, one element at a time, neighbours found by their vertices. What kernels are held
// against.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "groundswell/quake/basis/matrices.hpp"
#include "groundswell/quake/basis/quadrature.hpp"
#include "groundswell/quake/plain/elastic.hpp"
#include "support/quake/elements_of_box.hpp"

namespace groundswell::quake::test {

using namespace plain;

class PlainElastic {
public:
    PlainElastic(int order, const BoxElements& box) : order_(order), basis_(basis_size(order)), box_(box) {
        state.assign(box.element.size() * basis_ * 9, 0.0);
        for (int d = 0; d < 3; ++d) stiffness_[d] = stiffness(order, d);
        mass_ = tetrahedron_mass(order);
    }

    double& at(std::size_t element, int function, int quantity) {
        return state[(element * basis_ + function) * 9 + quantity];
    }

    void step(double seconds) {
        std::vector<double> integral(state.size());
        for (std::size_t e = 0; e < box_.element.size(); ++e) predict(e, seconds, integral);
        for (std::size_t e = 0; e < box_.element.size(); ++e) correct(e, integral);
    }

    std::vector<double> state;

private:
    std::array<Square, 3> star(std::size_t e) const {
        const Element& element = box_.element[e];
        return {jacobian(element.material, element.geometry.gradient[0]),
                jacobian(element.material, element.geometry.gradient[1]),
                jacobian(element.material, element.geometry.gradient[2])};
    }

    void predict(std::size_t e, double seconds, std::vector<double>& integral) const {
        const std::size_t first = e * basis_ * 9;
        const auto a = star(e);
        std::vector<double> d(state.begin() + first, state.begin() + first + basis_ * 9);
        double factor = seconds;
        for (int k = 0; k < order_; ++k) {
            for (int i = 0; i < basis_ * 9; ++i) integral[first + i] += factor * d[i];
            std::vector<double> next(d.size(), 0.0);
            for (int axis = 0; axis < 3; ++axis) {
                for (int row = 0; row < basis_; ++row) {
                    for (int column = 0; column < basis_; ++column) {
                        const double m = stiffness_[axis](column, row) / mass_[row];
                        if (m == 0.0) continue;
                        for (int i = 0; i < 9; ++i) {
                            for (int j = 0; j < 9; ++j)
                                next[row * 9 + i] -= m * a[axis][i][j] * d[column * 9 + j];
                        }
                    }
                }
            }
            d = next;
            factor *= seconds / (k + 2);
        }
    }

    void correct(std::size_t e, const std::vector<double>& integral) {
        const Element& element = box_.element[e];
        const auto a = star(e);
        const double* own = integral.data() + e * basis_ * 9;
        for (int axis = 0; axis < 3; ++axis) {
            for (int row = 0; row < basis_; ++row) {
                for (int column = 0; column < basis_; ++column) {
                    const double m = stiffness_[axis](row, column) / mass_[row];
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) at(e, row, i) += m * a[axis][i][j] * own[column * 9 + j];
                    }
                }
            }
        }
        const auto rule = triangle_rule(order_ + 1);
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = box_.across[e][f].cell;
            const auto& n = element.geometry.normal[f];
            const bool inner = across >= 0;
            const Square g =
                waves_that_enter(element.material, inner ? element.beyond[f] : element.material, n);
            const Square flux = jacobian(element.material, n);
            const double scale = 2.0 * element.geometry.area[f] / (6.0 * element.geometry.volume);
            for (std::size_t p = 0; p < rule.size(); ++p) {
                const auto phi = tetrahedron_basis(order_, on_face(f, rule.point[p]));
                std::array<double, 9> here{}, beyond{}, middle{}, through{};
                for (int k = 0; k < basis_; ++k) {
                    for (int i = 0; i < 9; ++i) here[i] += phi[k].value * own[k * 9 + i];
                }
                if (inner) {
                    const auto other = tetrahedron_basis(order_, place_across(e, f, rule.point[p]));
                    const double* its = integral.data() + static_cast<std::size_t>(across) * basis_ * 9;
                    for (int k = 0; k < basis_; ++k) {
                        for (int i = 0; i < 9; ++i) beyond[i] += other[k].value * its[k * 9 + i];
                    }
                } else if (element.boundary[f] == tetra::Boundary::free) {
                    const Square m = mirror(n);
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) beyond[i] += m[i][j] * here[j];
                    }
                }
                for (int i = 0; i < 9; ++i) {
                    middle[i] = here[i];
                    for (int j = 0; j < 9; ++j) middle[i] += g[i][j] * (beyond[j] - here[j]);
                }
                for (int i = 0; i < 9; ++i) {
                    for (int j = 0; j < 9; ++j) through[i] += flux[i][j] * middle[j];
                }
                for (int k = 0; k < basis_; ++k) {
                    for (int i = 0; i < 9; ++i)
                        at(e, k, i) -= scale * rule.weight[p] * phi[k].value / mass_[k] * through[i];
                }
            }
        }
    }

    // A place on a face in the coordinates of the element across, corner by corner.
    Point3 place_across(std::size_t e, int face, Point2 point) const {
        const auto& cell = box_.cell[e];
        const auto& other = box_.cell[box_.across[e][face].cell];
        const std::array<double, 3> share{1.0 - point[0] - point[1], point[0], point[1]};
        Point3 place{};
        for (int i = 0; i < 3; ++i) {
            for (int corner = 1; corner < 4; ++corner) {
                if (other.vertex[corner] == cell.vertex[tetra::face_corners[face][i]])
                    place[corner - 1] += share[i];
            }
        }
        return place;
    }

    int order_, basis_;
    const BoxElements& box_;
    std::array<Matrix, 3> stiffness_;
    std::vector<double> mass_;
};

}  // namespace groundswell::quake::test
