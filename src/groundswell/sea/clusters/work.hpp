#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/mesh/part.hpp"
#include "groundswell/sea/clusters/images.hpp"
#include "groundswell/sea/clusters/seen.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// The one who computes the steps of clusters, and has their state meanwhile: in two copies, 0 and 1, of all local cells.
class ClusterWork {
public:
    virtual ~ClusterWork() = default;

    /// Sets images begin ≤ i < end of a border, of the copy `to`, from their sources in the copy `from`.
    virtual void set_images(const ClusterBorder& border, Seen seen, int from, int to, std::int32_t begin,
                            std::int32_t end) = 0;
    /// As Propagator::set_profiles(), from copy `from`.
    virtual void set_profiles(const ClusterBorder& border, std::int32_t begin, std::int32_t end, int from,
                              double step) = 0;
    /// A step of owned cells from copy `from` into the other. `add_profiles`: as Propagator::keep_half_profiles().
    virtual void propagate(mesh::CellRange cells, int from, double step, bool add_profiles) = 0;
    /// Copies cells from a copy into the other.
    virtual void copy(mesh::CellRange cells, int from) = 0;
};

/// On processors, in place: `first` and `second` are the host's states, `profiles` what Propagator::use_images() has been given;
/// `image_in_slower`: of each owned cell, or -1, empty in first order.
std::unique_ptr<ClusterWork> make_work_on_processors(Propagator& propagator, std::size_t stride, Real* first,
                                                     Real* second, Real* profiles, std::int32_t first_image,
                                                     std::span<const std::int32_t> image_in_slower);

}  // namespace groundswell::sea
