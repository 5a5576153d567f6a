#include "groundswell/quake/elements/elements.hpp"

#include <numeric>

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

template <class Real>
Elements<Real>::Elements(const Kernels<Real>& kernels, const BatchPlaces& places, std::int32_t other_sides)
    : kernels_(kernels), places_(places) {
    const auto& l = kernels.layout;
    const std::int32_t batches = places.batches();
    const auto lanes = static_cast<std::size_t>(l.lanes);
    state_ = exec::make_cell_array<Real>(batches, l.state);
    material_ = exec::make_cell_array<Real>(batches, l.material);
    faces_ = exec::make_cell_array<Real>(batches, 4 * l.face);
    traces_ = exec::make_cell_array<Real>(places.sides() + other_sides, l.trace);
    if (l.memory > 0) memory_ = exec::make_cell_array<Real>(batches, l.memory);
    beyond_ = exec::make_cell_array<std::int32_t>(batches + 1, 4 * lanes);
    // Lanes without an element meet themselves, and no cluster but their own.
    std::iota(beyond_.data(), beyond_.data() + places.sides(), 0);
    across_ = exec::make_cell_array<std::int32_t>(batches + 1, 4 * lanes);
    pieces_ = exec::make_cell_array<std::int32_t>(batches, 4 * lanes);
    std::ranges::fill(pieces_.span(), -1);
    other_kind_ = exec::make_cell_array<std::uint32_t>(batches, 4);
    is_water_.assign(batches, 0);
    is_packed_.assign(batches, 0);
    is_set_.assign(batches, 0);
    anisotropic_of_.assign(batches, -1);
    added_of_.assign(batches, -1);
}

template <class Real>
std::size_t Elements<Real>::place(std::int32_t element, int function, int quantity) const {
    return static_cast<std::size_t>(places_.batch(element)) * kernels_.layout.state +
           place_in_batch(element, function, quantity);
}

template <class Real>
std::size_t Elements<Real>::place_in_batch(std::int32_t element, int function, int quantity) const {
    const auto& l = kernels_.layout;
    int number = function * l.quantities + quantity;
    if (is_water(places_.batch(element))) {
        if (quantity >= Elastic::vx)
            number = function * Acoustic::quantities + Acoustic::vx + quantity - Elastic::vx;
        else if (quantity < Elastic::xy)
            number = function * Acoustic::quantities;
        else  // behind what kernels know of, and 0 for ever
            number = l.basis * Acoustic::quantities + function * 3 + quantity - Elastic::xy;
    }
    return static_cast<std::size_t>(number * l.lanes + places_.lane(element));
}

template <class Real>
Batch<Real> Elements<Real>::batch(std::int32_t index) {
    const auto& l = kernels_.layout;
    const auto b = static_cast<std::size_t>(index), lanes = static_cast<std::size_t>(l.lanes);
    const Real *material = material_.data() + b * l.material, *faces = faces_.data() + b * 4 * l.face;
    if (anisotropic_of_[b] >= 0) {
        material = anisotropic_[anisotropic_of_[b]].data();
        faces = material + kernels_.of_anisotropic->layout.material;
    }
    return {material,
            faces,
            state_.data() + b * l.state,
            traces_.data(),
            across_.data() + b * 4 * lanes,
            pieces_.data() + b * 4 * lanes,
            traces_.data() + b * 4 * lanes * l.trace,
            added_of_[b] < 0 ? nullptr : added_[added_of_[b]].data(),
            l.memory == 0 ? nullptr : memory_.data() + b * l.memory,
            l.memory == 0 || added_of_[b] < 0
                ? nullptr
                : added_[added_of_[b]].data() + added_[added_of_[b]].size() - l.memory,
            l.mechanisms,
            other_kind_.data() + 4 * b,
            static_cast<int>(is_packed_[b] != 0 ? kernels_.of_water->layout.trace : l.trace)};
}

template <class Real>
std::size_t Elements<Real>::bytes() const {
    std::size_t anisotropic = 0;
    for (const auto& one : anisotropic_) anisotropic += one.size();
    return (state_.size() + material_.size() + faces_.size() + traces_.size() + memory_.size() +
            anisotropic) *
               sizeof(Real) +
           (beyond_.size() + across_.size() + pieces_.size() + other_kind_.size()) * sizeof(std::int32_t);
}

template <class Real>
void Elements<Real>::predict(BatchRange batches, Real seconds) {
    exec::for_each_cell(batches.begin, batches.end,
                        [&](std::int32_t index) { kernels_of(index).predict(batch(index), seconds); });
}

template <class Real>
void Elements<Real>::predict_pieces(BatchRange batches, Real seconds, int rate) {
    exec::for_each_cell(batches.begin, batches.end, [&](std::int32_t index) {
        kernels_of(index).predict_pieces(batch(index), seconds, rate);
    });
}

template <class Real>
void Elements<Real>::correct(BatchRange batches, int piece) {
    exec::for_each_cell(batches.begin, batches.end,
                        [&](std::int32_t index) { kernels_of(index).correct(batch(index), piece); });
}

template <class Real>
void Elements<Real>::differentiate_batch(std::int32_t index, Real* derivatives, Real* of_memory) {
    series_kernels_of(index).differentiate(as_rock(index, derivatives), derivatives, of_memory);
}

template <class Real>
void Elements<Real>::expand_memory(std::int32_t element, const Real* of_memory, double seconds,
                                   std::span<double> memory) const {
    const auto lanes = static_cast<std::size_t>(kernels_.layout.lanes);
    const Real* from = of_memory + places_.lane(element);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        double factor = 1.0;
        memory[i] = 0.0;
        for (int k = 0; k < kernels_.layout.order; ++k) {
            memory[i] += factor * static_cast<double>(from[k * kernels_.layout.memory + i * lanes]);
            factor *= seconds / (k + 1);
        }
    }
}

template <class Real>
void Elements<Real>::expand(std::int32_t element, const Real* derivatives, double seconds,
                            double* state) const {
    const auto& l = kernels_.layout;
    std::fill_n(state, l.basis * l.quantities, 0.0);
    const Real* from = derivatives + places_.lane(element);
    double factor = 1.0;
    for (int k = 0; k < l.order; ++k) {
        for (int i = 0; i < basis_size(l.order - k) * l.quantities; ++i, from += l.lanes)
            state[i] += factor * static_cast<double>(*from);
        factor *= seconds / (k + 1);
    }
}

template <class Real>
void Elements<Real>::evaluate(std::int32_t element, const Real* derivatives, std::span<const double> basis,
                              double* at_place) const {
    const auto& l = kernels_.layout;
    const Real* from = derivatives + places_.lane(element);
    for (int k = 0; k < l.order; ++k) {
        double* to = at_place + k * l.quantities;
        std::fill_n(to, l.quantities, 0.0);
        for (int b = 0; b < basis_size(l.order - k); ++b) {
            for (int q = 0; q < l.quantities; ++q, from += l.lanes)
                to[q] += basis[b] * static_cast<double>(*from);
        }
    }
}

template <class Real>
std::vector<std::vector<double>> Elements<Real>::derivatives_of(std::int32_t element,
                                                                std::span<const double> state,
                                                                std::span<const double> memory,
                                                                std::vector<double>& of_memory) {
    const auto& l = kernels_.layout;
    const auto alone = [&](std::size_t numbers, std::span<const double> values) {
        exec::Array<Real> batch(numbers);
        std::ranges::fill(batch.span(), Real{});
        for (std::size_t i = 0; i < values.size(); ++i)
            batch[i * static_cast<std::size_t>(l.lanes) + places_.lane(element)] =
                static_cast<Real>(values[i]);
        return batch;
    };
    exec::Array<Real> own = alone(l.state, state), kept = alone(l.memory, memory), derivatives(l.derivatives),
                      remembered(l.memory * static_cast<std::size_t>(l.order));
    Batch<Real> of = batch(places_.batch(element));
    of.state = own.data();
    of.memory = kept.data();
    series_kernels_of(places_.batch(element)).differentiate(of, derivatives.data(), remembered.data());
    for (std::size_t i = 0; i < remembered.size(); i += static_cast<std::size_t>(l.lanes))
        of_memory.push_back(remembered[i + static_cast<std::size_t>(places_.lane(element))]);
    std::vector<std::vector<double>> all;
    const Real* from = derivatives.data() + places_.lane(element);
    for (int k = 0; k < l.order; ++k) {
        auto& these = all.emplace_back();
        for (int i = 0; i < basis_size(l.order - k) * l.quantities; ++i, from += l.lanes)
            these.push_back(*from);
    }
    return all;
}

template <class Real>
std::span<Real> Elements<Real>::added(std::int32_t element, int pieces) {
    std::int32_t& place = added_of_[places_.batch(element)];
    if (place < 0) {
        place = static_cast<std::int32_t>(added_.size());
        added_.emplace_back(static_cast<std::size_t>(1 + pieces) * kernels_.layout.state +
                            kernels_.layout.memory);
        std::ranges::fill(added_.back().span(), Real{});
    }
    return added_[place].span();
}

template <class Real>
Real& Elements<Real>::added(std::int32_t element, int which, int function, int quantity) {
    return added_[added_of_[places_.batch(element)]][static_cast<std::size_t>(which) * kernels_.layout.state +
                                                     place_in_batch(element, function, quantity)];
}

template <class Real>
Real& Elements<Real>::added_memory(std::int32_t element, int pieces, std::size_t i) {
    const auto& l = kernels_.layout;
    return added_[added_of_[places_.batch(element)]][static_cast<std::size_t>(1 + pieces) * l.state +
                                                     i * static_cast<std::size_t>(l.lanes) +
                                                     static_cast<std::size_t>(places_.lane(element))];
}

template <class Real>
void Elements<Real>::differentiate(int block) {
    auto room = room_for_derivatives();
    exec::for_each_cell(places_.batch_begin(block), places_.batch_end(block), [&](std::int32_t index) {
        differentiate_batch(index, room[exec::thread_index()].data());
    });
}

template class Elements<float>;
template class Elements<double>;

}  // namespace groundswell::quake
