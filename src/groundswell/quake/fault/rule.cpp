#include "groundswell/quake/fault/rule.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::quake {

FaultRule::FaultRule(int order_, FacePoints points, FacePressure pressure)
    : order(order_),
      basis(face_basis_size(order_)),
      pressing(pressure == FacePressure::smooth ? smooth_functions(order_) : basis),
      place(points == FacePoints::symmetric ? symmetric_triangle_rule(2 * order_)
                                            : triangle_rule(order_ + 1)) {
    const auto mass = triangle_mass(order);
    onto.resize(static_cast<std::size_t>(basis) * place.size());
    for (std::size_t p = 0; p < place.size(); ++p) {
        const auto psi = triangle_basis(order, place.point[p]);
        for (int m = 0; m < basis; ++m) {
            at.push_back(psi[m].value);
            onto[m * place.size() + p] = place.weight[p] * psi[m].value / mass[m];
        }
    }
    const auto rule = gauss_jacobi(order, 0);
    double before = 0.0;
    for (int i = 0; i < order; ++i) {
        time.push_back(0.5 * (1.0 + rule.point[i]));
        weight.push_back(0.5 * rule.weight[i]);
        substep.push_back(time.back() - before);
        before = time.back();
    }
    substep.back() += 1.0 - before;
}

int crowded_corner(const tetra::Tetrahedron& cell, int face) {
    constexpr std::array<int, 4> crowded{
        2, 3, 1, 2};  // by the corner that the face does not have, as the file numbers them
    const int wanted = crowded[cell.in_file[3 - face]];
    int corner = 0;
    while (cell.in_file[tetra::face_corners[face][corner]] != wanted) ++corner;
    return corner;
}

int first_corner(const tetra::Tetrahedron& cell, int face) {
    const auto& corners = tetra::face_corners[face];
    return static_cast<int>(
        std::ranges::min_element(corners, {}, [&](int corner) { return cell.in_file[corner]; }) -
        corners.begin());
}

std::vector<double> FaultRule::turned(int turn) const {
    constexpr double none = 1e-13;  // far above rounding, far below what is not 0
    std::vector<double> matrix(static_cast<std::size_t>(basis) * basis);
    for (int p = 0; p < points(); ++p) {
        const auto [chi, tau] = place.point[p];
        const std::array<double, 3> of_turned{1.0 - chi - tau, chi, tau};
        std::array<double, 3> share{};
        for (int i = 0; i < 3; ++i) share[(i + turn) % 3] = of_turned[i];
        const auto psi = triangle_basis(order, Point2{share[1], share[2]});
        for (int m = 0; m < basis; ++m) {
            for (int n = 0; n < basis; ++n) matrix[m * basis + n] += onto[m * points() + p] * psi[n].value;
        }
    }
    for (double& entry : matrix) entry = std::abs(entry) < none ? 0.0 : entry;
    return matrix;
}

NearestPlane::NearestPlane(const Quadrature<Point2>& at) {
    Point2 middle{};
    for (const Point2& point : at.point) {
        for (int i = 0; i < 2; ++i) middle[i] += point[i] / static_cast<double>(at.size());
    }
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (const Point2& point : at.point) {
        const double a = point[0] - middle[0], b = point[1] - middle[1];
        aa += a * a;
        ab += a * b;
        bb += b * b;
    }
    const double whole = aa * bb - ab * ab;
    for (const Point2& point : at.point) {
        const double a = point[0] - middle[0], b = point[1] - middle[1];
        slope_.push_back({(bb * a - ab * b) / whole, (aa * b - ab * a) / whole});
    }
}

double NearestPlane::steepness(std::span<const double> value,
                               const std::array<tetra::Point, 3>& corner) const {
    double along = 0.0, across = 0.0;
    for (std::size_t p = 0; p < slope_.size(); ++p) {
        along += slope_[p][0] * value[p];
        across += slope_[p][1] * value[p];
    }
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double u = corner[1][i] - corner[0][i], v = corner[2][i] - corner[0][i];
        uu += u * u;
        uv += u * v;
        vv += v * v;
    }
    const double square = vv * along * along - 2.0 * uv * along * across + uu * across * across;
    return std::sqrt(std::max(square, 0.0) / (uu * vv - uv * uv));
}

}  // namespace groundswell::quake
