#include "groundswell/quake/source/point/acting.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/viscoelastic.hpp"

namespace groundswell::quake {

template <class Real>
void ActingSources<Real>::add(Elements<Real>& elements, int block, std::int32_t element,
                              const tetra::Point& reference, const Material& material,
                              std::span<const Mechanism> mechanisms, double volume, const PointSource& source,
                              int pieces) {
    const int order = elements.layout().order;
    const auto mass = tetrahedron_mass(order);
    const auto basis = tetrahedron_basis(order, reference);
    const auto effect = source.effect(material.density);
    std::vector<double> impulse, values;
    for (std::size_t k = 0; k < basis.size(); ++k) {
        values.push_back(basis[k].value);
        for (const double one : effect) impulse.push_back(one * basis[k].value / (mass[k] * 6.0 * volume));
    }
    auto& batches = batches_[block];
    const std::int32_t batch = elements.places().batch(element);
    auto place = std::ranges::lower_bound(batches, batch, {}, &SourcesOfBatch::batch);
    if (place == batches.end() || place->batch != batch) place = batches.insert(place, {batch, false, {}});
    // A source finds nothing that relaxes: it displaces dashpots by the strain of all springs.
    const Material slowly = relaxed(material, mechanisms);
    const auto compliance = Viscoelastic::Compliance<double>::of(slowly.lambda, slowly.mu);
    std::vector<double> memory;
    for (std::size_t k = 0; k < basis.size() && !mechanisms.empty(); ++k) {
        std::array<double, Viscoelastic::strains> strain;
        compliance.strain_of(impulse.data() + k * effect.size(), strain.data());
        for (std::size_t l = 0; l < mechanisms.size(); ++l)
            memory.insert(memory.end(), strain.begin(), strain.end());
    }
    std::vector<double> of_memory;
    auto derivatives = elements.derivatives_of(element, impulse, memory, of_memory);
    place->sources.push_back({element, std::move(derivatives), std::move(of_memory), source.rate,
                              SourcePower(values, effect, material, mechanisms)});
    elements.added(element, pieces);
}

template <class Real>
void ActingSources<Real>::add_source(Elements<Real>& elements, Source& source, double from, double seconds,
                                     int pieces) {
    const int order = elements.layout().order, quantities = elements.layout().quantities;
    const bool is_water = elements.is_water(elements.places().batch(source.element));
    const auto add = [&](int which, const std::vector<double>& moments, int first, double sign) {
        for (int k = 0; k < order; ++k) {
            const auto& derivative = source.derivatives[k];
            for (int i = 0; i < static_cast<int>(derivative.size()); ++i) {
                const int quantity = i % quantities;
                // Its stress is one number.
                if (is_water && quantity != Elastic::xx && quantity < Elastic::vx) continue;
                elements.added(source.element, which, i / quantities, quantity) +=
                    static_cast<Real>(sign * moments[first + k] * derivative[i]);
            }
        }
    };
    const auto whole = moments_of(*source.rate, from, from + seconds, order);
    source.acting = whole[0];
    source.before = power_of(elements, source);
    add(0, whole, 0, 1.0);
    add(1, whole, 1, 1.0);
    const std::size_t remembered = elements.remembered();
    for (int k = 0; k < order && remembered > 0; ++k) {
        for (std::size_t i = 0; i < remembered; ++i)
            elements.added_memory(source.element, pieces, i) +=
                static_cast<Real>(whole[k] * source.of_memory[k * remembered + i]);
    }
    for (int s = 0; s + 1 < pieces; ++s) {
        add(2 + s, moments_of(*source.rate, from, from + seconds * (s + 1) / pieces, order), 1, 1.0);
        if (s > 0) add(2 + s, moments_of(*source.rate, from, from + seconds * s / pieces, order), 1, -1.0);
    }
}

template <class Real>
std::vector<std::int32_t> ActingSources<Real>::act(Elements<Real>& elements, int block, double from,
                                                   double seconds, int pieces) {
    auto& batches = batches_[block];
    const auto acts = [&](const Source& source) {
        return source.rate->begin() < from + seconds && source.rate->end() > from;
    };
    std::vector<std::int32_t> changed, acting;
    for (SourcesOfBatch& batch : batches) {
        const bool is_acting = std::ranges::any_of(batch.sources, acts);
        if (batch.is_set || is_acting) changed.push_back(batch.batch);
        if (is_acting) acting.push_back(batch.batch);
        batch.is_set = is_acting;
    }
    elements.bring(acting);
    exec::for_each_cell(0, static_cast<std::int32_t>(batches.size()), [&](std::int32_t b) {
        SourcesOfBatch& batch = batches[b];
        if (!std::ranges::binary_search(changed, batch.batch)) return;
        std::ranges::fill(elements.added(batch.sources.front().element, pieces), Real{});
        if (!batch.is_set) return;
        for (Source& source : batch.sources) {
            source.acting = 0.0;
            if (acts(source)) add_source(elements, source, from, seconds, pieces);
        }
    });
    return changed;
}

template <class Real>
double ActingSources<Real>::power_of(const Elements<Real>& elements, const Source& source) {
    const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
    const std::size_t of_function = elements.remembered() / source.power.functions();
    const Real* const memory = of_function > 0 ? elements.memory_of(source.element) : nullptr;
    return source.power.now(
        [&](std::size_t k, int q) {
            return static_cast<double>(elements.coefficient(source.element, static_cast<int>(k), q));
        },
        [&](std::size_t k, std::size_t i) {
            return static_cast<double>(memory[(of_function * k + i) * lanes]);
        });
}

template <class Real>
void ActingSources<Real>::acted(const Elements<Real>& elements, int block) {
    auto& batches = batches_[block];
    std::vector<std::int32_t> acting;
    for (const SourcesOfBatch& batch : batches) {
        if (batch.is_set) acting.push_back(batch.batch);
    }
    elements.bring(acting);
    exec::for_each_cell(0, static_cast<std::int32_t>(batches.size()), [&](std::int32_t b) {
        if (!batches[b].is_set) return;
        for (Source& source : batches[b].sources) {
            if (source.acting == 0.0) continue;
            source.work += 0.5 * (source.before + power_of(elements, source)) * source.acting;
        }
    });
}

template <class Real>
std::vector<double> ActingSources<Real>::work() const {
    std::vector<double> all;
    for (const auto& block : batches_) {
        for (const SourcesOfBatch& batch : block) {
            for (const Source& source : batch.sources) all.push_back(source.work);
        }
    }
    return all;
}

template class ActingSources<float>;
template class ActingSources<double>;

}  // namespace groundswell::quake
