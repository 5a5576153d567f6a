#include "groundswell/quake/source/acting.hpp"

#include <algorithm>

#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

template <class Real>
void ActingSources<Real>::add(Elements<Real>& elements, int block, std::int32_t element,
                              const tetra::Point& reference, double density, double volume,
                              const PointSource& source, int pieces) {
    const int order = elements.layout().order;
    const auto mass = tetrahedron_mass(order);
    const auto basis = tetrahedron_basis(order, reference);
    const auto effect = source.effect(density);
    std::vector<double> impulse;
    for (std::size_t k = 0; k < basis.size(); ++k) {
        for (const double one : effect) impulse.push_back(one * basis[k].value / (mass[k] * 6.0 * volume));
    }
    sources_[block].push_back({element, elements.derivatives_of(element, impulse), source.rate});
    elements.added(element, pieces);
}

template <class Real>
void ActingSources<Real>::act(Elements<Real>& elements, int block, double from, double seconds,
                              int pieces) const {
    const auto& sources = sources_[block];
    for (const Source& source : sources) std::ranges::fill(elements.added(source.element, pieces), Real{});
    const int order = elements.layout().order, quantities = elements.layout().quantities;
    for (const Source& source : sources) {
        const auto add = [&](int which, const std::vector<double>& moments, int first, double sign) {
            for (int k = 0; k < order; ++k) {
                const auto& derivative = source.derivatives[k];
                for (int i = 0; i < static_cast<int>(derivative.size()); ++i) {
                    elements.added(source.element, which, i / quantities, i % quantities) +=
                        static_cast<Real>(sign * moments[first + k] * derivative[i]);
                }
            }
        };
        const auto whole = moments_of(*source.rate, from, from + seconds, order);
        add(0, whole, 0, 1.0);
        add(1, whole, 1, 1.0);
        for (int s = 0; s + 1 < pieces; ++s) {
            add(2 + s, moments_of(*source.rate, from, from + seconds * (s + 1) / pieces, order), 1, 1.0);
            if (s > 0)
                add(2 + s, moments_of(*source.rate, from, from + seconds * s / pieces, order), 1, -1.0);
        }
    }
}

template class ActingSources<float>;
template class ActingSources<double>;

}  // namespace groundswell::quake
