#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/source/all_sources.hpp"

namespace groundswell::quake {

namespace {

// How much of the ground carries no waves of a frequency.
double share_too_coarse(MPI_Comm comm, const Domain& domain, int order, double frequency) {
    std::vector<double> all, coarse;
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        const auto& corners = domain.mesh.cell[cell].place;
        all.push_back(tetra::geometry_of(corners).volume);
        if (highest_frequency(corners, domain.material[cell], order) < frequency)
            coarse.push_back(all.back());
    }
    const double whole = parallel::sum(comm, all);
    return parallel::sum(comm, coarse) / whole;
}

}  // namespace

void warn_of_short_waves(MPI_Comm comm, const SourceOptions& options, const std::string& file,
                         const Domain& domain, int order, std::span<const SpreadRupture> ruptures) {
    std::string name;
    double reach = 0.0;
    const auto look_at = [&](const auto& source) {
        if (source.highest_frequency <= reach) return;
        name = source.name;
        reach = source.highest_frequency;
    };
    std::ranges::for_each(options.points, look_at);
    std::ranges::for_each(ruptures, look_at);
    const Extreme& coarsest = domain.coarsest;
    if (reach <= coarsest.value) return;
    const double share = share_too_coarse(comm, domain, order, reach);
    if (parallel::rank_of(comm) != 0) return;
    const std::string told = std::isinf(reach)
                                 ? "a step, which has all frequencies"
                                 : fmt::format("99 % of its energy lies below {:.4g} Hz", reach);
    base::log_warning(
        "{}: {}: {}, but at order {} the mesh carries waves up to {:.4g} Hz, in cell {} at {:.6g}, {:.6g}, "
        "{:.6g} m; {:.3g} % of the ground is too coarse for the source, and waves above what it carries fade "
        "and come late: a higher solver.order, smaller cells there, or a slower time_function",
        file, name, told, order, coarsest.value, coarsest.cell, coarsest.centre[0], coarsest.centre[1],
        coarsest.centre[2], 100.0 * share);
}

}  // namespace groundswell::quake
