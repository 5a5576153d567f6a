#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/halo/selection.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Cells of so many bins that all threads together propagate between two polls, about a millisecond's work: long enough to cost
/// nothing, short enough to keep messages moving.
std::int32_t polling_piece(int bins);

/// The directions of each halo cell that the propagation of owned cells reads: what a receiver wants of a
/// message. Local, not collective.
halo::Selection needed_directions(const SpectralGrid& grid, const Propagator& propagator);

/// The exchange of the sea's state, of all directions or of those that the propagation reads, as the case wants it.
/// `state`: [cell][stride], for trials, which overwrite its halo; `device`: where that is. Collective over plan->comm().
halo::Exchanges make_exchange(const Case& run, const std::shared_ptr<const halo::Plan>& plan,
                              const SpectralGrid& grid, const Propagator& propagator, Real* state,
                              parallel::Profile& profile,
                              const std::optional<halo::FieldsOnDevice>& device = {});

}  // namespace groundswell::sea
