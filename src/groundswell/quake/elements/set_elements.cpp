#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/elements/coefficients.hpp"
#include "groundswell/quake/elements/elements.hpp"

/// Elements are set here: what they are made of, and where their sides stand.
namespace groundswell::quake {

namespace {

// The numbers of one lane, spread over a batch's.
template <class Values, class Real>
void spread(const Values& values, int lanes, Real* lane) {
    const auto* from = reinterpret_cast<const double*>(&values);
    for (std::size_t i = 0; i < sizeof(Values) / sizeof(double); ++i)
        lane[i * static_cast<std::size_t>(lanes)] = static_cast<Real>(from[i]);
}

}  // namespace

template <class Real>
std::size_t Elements<Real>::place_of_side(std::int32_t side, bool of_water) const {
    const std::size_t apart = kernels_.layout.trace;
    const std::int32_t of_batch = 4 * kernels_.layout.lanes, in_batch = side % of_batch;
    if (!of_water || side >= places_.sides() || is_packed_[side / of_batch] == 0)
        return static_cast<std::size_t>(side) * apart;
    return static_cast<std::size_t>(side - in_batch) * apart +
           static_cast<std::size_t>(in_batch) * kernels_.of_water->layout.trace;
}

template <class Real>
void Elements<Real>::pack_water(BatchRange batches) {
    // Kernels of devices count sides as they stand in rock.
    const bool can = kernels_.of_water != nullptr && kernels_.of_water->layout.trace > 0;
    std::fill(is_packed_.begin() + batches.begin, is_packed_.begin() + batches.end, can ? 1 : 0);
}

template <class Real>
void Elements<Real>::set(std::int32_t element, const Element& what, const std::array<std::int32_t, 4>& beyond,
                         const std::array<std::int32_t, 4>& pieces) {
    const auto& l = kernels_.layout;
    const auto index = static_cast<std::size_t>(places_.batch(element));
    const int lane = places_.lane(element);
    if (what.meets_anisotropic()) set_anisotropic(places_.batch(element), lane, what);
    GS_ASSERT(what.meets_anisotropic() == (anisotropic_of_[index] >= 0));
    const bool is_liquid = what.material.is_liquid();
    GS_ASSERT(is_set_[index] == 0 || (is_water_[index] != 0) == is_liquid);
    is_set_[index] = 1;
    is_water_[index] = is_liquid ? 1 : 0;
    spread(coefficients_of(what), l.lanes, material_.data() + index * l.material + lane);
    GS_ASSERT(static_cast<int>(what.mechanisms.size()) == l.mechanisms);
    Real* to = material_.data() + index * l.material + lane +
               sizeof(Elastic::Material<double>) / sizeof(double) * static_cast<std::size_t>(l.lanes);
    for (const Mechanism& mechanism : what.mechanisms) {
        spread(mechanism, l.lanes, to);
        to += sizeof(Mechanism) / sizeof(double) * static_cast<std::size_t>(l.lanes);
    }
    for (int face = 0; face < 4; ++face) {
        spread(coefficients_of(what, face), l.lanes, faces_.data() + (4 * index + face) * l.face + lane);
        const std::size_t at = (4 * index + face) * static_cast<std::size_t>(l.lanes) + lane;
        beyond_[at] = beyond[face];
        pieces_[at] = pieces[face];
        const bool is_inner = what.boundary[face] == tetra::Boundary::none;
        const bool other_is_liquid = is_inner ? what.beyond[face].is_liquid() : is_liquid;
        if (other_is_liquid != is_liquid) other_kind_[4 * index + face] |= 1U << lane;
        const std::int32_t side = beyond[face] >= 0 ? beyond[face] : -1 - beyond[face];
        const std::size_t stands = place_of_side(side, other_is_liquid) / static_cast<std::size_t>(l.lanes);
        GS_ASSERT(stands <= std::numeric_limits<std::int32_t>::max());
        across_[at] = static_cast<std::int32_t>(stands);
        if (beyond[face] < 0) across_[at] = -1 - across_[at];
    }
}

template <class Real>
void Elements<Real>::set_anisotropic(std::int32_t batch, int lane, const Element& what) {
    GS_ASSERT(kernels_.of_anisotropic != nullptr && !what.material.is_liquid());
    const auto& l = kernels_.of_anisotropic->layout;
    std::int32_t& place = anisotropic_of_[batch];
    if (place < 0) {
        GS_ASSERT(is_set_[batch] == 0);
        place = static_cast<std::int32_t>(anisotropic_.size());
        anisotropic_.emplace_back(l.material + 4 * l.face);
        std::ranges::fill(anisotropic_.back().span(), Real{});
    }
    Real* const to = anisotropic_[place].data() + lane;
    spread(anisotropic_coefficients_of(what), l.lanes, to);
    for (int face = 0; face < 4; ++face)
        spread(anisotropic_coefficients_of(what, face), l.lanes, to + l.material + face * l.face);
}

template void Elements<float>::pack_water(BatchRange);
template std::size_t Elements<float>::place_of_side(std::int32_t, bool) const;
template void Elements<float>::set(std::int32_t, const Element&, const std::array<std::int32_t, 4>&,
                                   const std::array<std::int32_t, 4>&);
template void Elements<double>::pack_water(BatchRange);
template std::size_t Elements<double>::place_of_side(std::int32_t, bool) const;
template void Elements<double>::set(std::int32_t, const Element&, const std::array<std::int32_t, 4>&,
                                    const std::array<std::int32_t, 4>&);

}  // namespace groundswell::quake
