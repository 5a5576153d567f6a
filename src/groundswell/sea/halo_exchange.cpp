#include "groundswell/sea/halo_exchange.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

namespace {

/// Values that this rank wants of its halo cells; null where every rank wants all.
std::shared_ptr<const halo::Selection> less_than_all(MPI_Comm comm, const SpectralGrid& grid,
                                                     const Propagator& propagator) {
    auto selection = std::make_shared<const halo::Selection>(needed_directions(grid, propagator));
    const bool less = std::ranges::any_of(
        selection->needed, [&](const halo::RowRange& range) { return range.count < grid.directions; });
    return parallel::max(comm, std::int64_t{less ? 1 : 0}) == 0 ? nullptr : selection;
}

// Bins that a thread propagates between two polls.
constexpr std::int32_t polling_bins = 300'000;
// Cells that the second-order kernel works on together: pieces are made of whole ones.
constexpr std::int32_t polling_cells = 128;

}  // namespace

std::int32_t polling_piece(int bins) {
    return std::max(1, polling_bins / (bins * polling_cells)) * polling_cells * exec::threads();
}

halo::Selection needed_directions(const SpectralGrid& grid, const Propagator& propagator) {
    return {sizeof(Real), grid.frequencies, grid.directions, propagator.needed_directions()};
}

halo::Exchanges make_exchange(const Case& run, const std::shared_ptr<const halo::Plan>& plan,
                              const SpectralGrid& grid, const Propagator& propagator, Real* state,
                              parallel::Profile& profile, const std::optional<halo::FieldsOnDevice>& device) {
    const MPI_Comm comm = plan->comm();
    const halo::Wanted whole{plan, {halo::channel_of<Real>(grid.stride())}, {state}, device};
    std::vector<halo::Wanted> needed;
    if (run.halo.values != halo::Values::all && run.propagates) {
        if (const auto selection = less_than_all(comm, grid, propagator)) {
            // A selection is of the bins, without padding behind them.
            const halo::Channel bins{static_cast<std::size_t>(grid.bins()) * sizeof(Real),
                                     whole.channels.front().stride, selection};
            needed.push_back({plan, {bins}, whole.fields, device});
        }
    }
    halo::Exchanges exchange({whole}, run.halo, profile, std::move(needed));
    if (run.halo.values == halo::Values::selected && !exchange.selects() &&
        parallel::max(comm, std::int64_t{plan->needed()}) > 0 && parallel::rank_of(comm) == 0)
        base::log_info("halo of all directions, which this propagation scheme needs");
    return exchange;
}

}  // namespace groundswell::sea
