#include "groundswell/quake/elements/samplers.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "groundswell/exec/launch.hpp"

namespace groundswell::quake {

// Σ seconds^k / k! times derivative first + k.
double Glimpse::series(std::span<const double> of, int quantity, double seconds, std::size_t first) const {
    const auto columns = static_cast<std::size_t>(quantities);
    double sum = 0.0, factor = 1.0;
    const std::size_t order = of.size() / columns;
    for (std::size_t k = 0; first + k < order; ++k) {
        sum += factor * of[(first + k) * columns + static_cast<std::size_t>(quantity)];
        factor *= seconds / static_cast<double>(k + 1);
    }
    return sum;
}

double Glimpse::value(int quantity, double seconds) const {
    return series(derivatives, quantity, seconds, 0);
}

double Glimpse::slope(int quantity, int axis, double seconds) const {
    const std::size_t values = slopes.size() / 3;
    return series(slopes.subspan(static_cast<std::size_t>(axis) * values, values), quantity, seconds, 0);
}

double Glimpse::rate(int quantity, double seconds) const {
    return series(derivatives, quantity, seconds, 1);
}

double Glimpse::integral(int quantity, double seconds) const {
    const auto columns = static_cast<std::size_t>(quantities);
    double sum = 0.0, factor = seconds;
    for (std::size_t k = 0; k < derivatives.size() / columns; ++k) {
        sum += factor * derivatives[k * columns + static_cast<std::size_t>(quantity)];
        factor *= seconds / static_cast<double>(k + 2);
    }
    return sum;
}

double Glimpse::sea_surface(double seconds) const {
    double sum = sea.empty() ? std::numeric_limits<double>::quiet_NaN() : 0.0, factor = 1.0;
    for (std::size_t k = 0; k < sea.size(); ++k) {
        sum += factor * sea[k];
        factor *= seconds / static_cast<double>(k + 1);
    }
    return sum;
}

template <class Real>
void Samplers<Real>::add(const Elements<Real>& elements, int block, std::int32_t element,
                         std::vector<std::vector<double>> basis, Probe probe) {
    const auto batch = [&](const Place& place) { return elements.places().batch(place.element); };
    const auto begin = static_cast<std::int32_t>(std::ssize(basis_) / elements.layout().basis);
    for (const auto& values : basis) basis_.insert(basis_.end(), values.begin(), values.end());
    Place added{element, begin, begin + static_cast<std::int32_t>(basis.size()), std::move(probe)};
    auto& probes = probes_[block];
    probes.insert(std::ranges::upper_bound(probes, batch(added), {}, batch), std::move(added));
}

template <class Real>
void Samplers<Real>::show(Elements<Real>& elements, int first, int last, double from, double to) const {
    show_to_probes(elements, first, last, from, to);
    show_to_observers(elements, first, last, from, to);
}

template <class Real>
void Samplers<Real>::show_to_probes(Elements<Real>& elements, int first, int last, double from,
                                    double to) const {
    // Those that look, in runs of one batch.
    std::vector<const Place*> places;
    std::vector<std::int32_t> runs;
    LooksOfProbes looks{.basis = basis_};
    const auto& where = elements.places();
    for (int block = first; block <= last; ++block) {
        for (const Place& place : probes_[block]) {
            if (place.probe.wants && !place.probe.wants(from, to)) continue;
            if (looks.batch.empty() || looks.batch.back() != where.batch(place.element)) {
                runs.push_back(static_cast<std::int32_t>(places.size()));
                looks.batch.push_back(where.batch(place.element));
                looks.begin.push_back(static_cast<std::int32_t>(looks.looks.size()));
            }
            places.push_back(&place);
            for (std::int32_t b = place.begin; b < place.end; ++b)
                looks.looks.push_back({where.lane(place.element), b});
        }
    }
    if (places.empty()) return;
    runs.push_back(static_cast<std::int32_t>(places.size()));
    looks.begin.push_back(static_cast<std::int32_t>(looks.looks.size()));
    const auto& layout = elements.layout();
    const std::size_t values = layout.order * layout.quantities,
                      functions = static_cast<std::size_t>(layout.basis);
    const bool here = elsewhere_ == nullptr;
    const std::span<const double> there = here ? std::span<const double>() : elsewhere_->look(looks);
    std::vector<exec::Array<Real>> room;
    if (here) {
        elements.bring(looks.batch);
        room = elements.room_for_derivatives();
    }
    exec::for_each_cell(0, static_cast<std::int32_t>(looks.batch.size()), [&](std::int32_t run) {
        Real* const derivatives = here ? room[exec::thread_index()].data() : nullptr;
        std::vector<double> evaluated(here ? 4 * values : 0);
        if (here) elements.differentiate_batch(looks.batch[run], derivatives);
        std::size_t look = looks.begin[run];
        for (std::int32_t i = runs[run]; i < runs[run + 1]; ++i) {
            const Place& place = *places[i];
            const auto wanted = static_cast<std::size_t>(place.end - place.begin);
            for (std::size_t b = 0; here && b < wanted; ++b)
                elements.evaluate(place.element, derivatives,
                                  std::span(basis_).subspan((place.begin + b) * functions, functions),
                                  evaluated.data() + b * values);
            const std::span<const double> all =
                here ? std::span<const double>(evaluated) : there.subspan(look * values, wanted * values);
            place.probe.see(
                {from, to, all.first(values), layout.quantities, all.subspan(values, (wanted - 1) * values)});
            look += wanted;
        }
    });
}

template <class Real>
void Samplers<Real>::show_to_observers(Elements<Real>& elements, int first, int last, double from,
                                       double to) const {
    std::vector<std::pair<const Observer*, Moment>> wanted;
    std::vector<Moment> moments;
    for (const Observer& observer : observers_) {
        moments.clear();
        observer.moments(from, to, moments);
        for (const Moment& moment : moments) wanted.emplace_back(&observer, moment);
    }
    if (wanted.empty()) return;
    const auto& layout = elements.layout();
    const auto& where = elements.places();
    std::vector<std::int32_t> batches(
        static_cast<std::size_t>(where.batch_end(last) - where.batch_begin(first)));
    std::iota(batches.begin(), batches.end(), where.batch_begin(first));
    elements.bring(batches);
    auto room = elements.room_for_derivatives();
    std::vector<exec::Array<Real>> memory;
    for (int thread = 0; thread < exec::threads(); ++thread)
        memory.emplace_back(layout.memory * static_cast<std::size_t>(layout.order));
    exec::for_each_cell(where.batch_begin(first), where.batch_end(last), [&](std::int32_t batch) {
        Real* derivatives = room[exec::thread_index()].data();
        const std::size_t own = static_cast<std::size_t>(layout.basis) * layout.quantities;
        std::vector<double> state(own + elements.remembered());
        Real* of_memory = memory[exec::thread_index()].data();
        elements.differentiate_batch(batch, derivatives, layout.memory > 0 ? of_memory : nullptr);
        for (std::int32_t e = where.element_begin(batch); e < where.element_begin(batch + 1); ++e) {
            for (const auto& [observer, moment] : wanted) {
                elements.expand(e, derivatives, moment.time - from, state.data());
                elements.expand_memory(e, of_memory, moment.time - from, std::span(state).subspan(own));
                observer->see(e, moment.number, state);
            }
        }
    });
}

template class Samplers<float>;
template class Samplers<double>;

}  // namespace groundswell::quake
