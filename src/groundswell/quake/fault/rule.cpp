#include "groundswell/quake/fault/rule.hpp"

#include <algorithm>

namespace groundswell::quake {

FaultRule::FaultRule(int order_, FacePoints points)
    : order(order_),
      basis(face_basis_size(order_)),
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

}  // namespace groundswell::quake
