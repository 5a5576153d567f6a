#include "groundswell/quake/fault/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/source/tally.hpp"

namespace groundswell::quake {

double FaultTotals::magnitude() const {
    return moment_magnitude(moment);
}

void FaultTotals::add_to(simulation::Report& report) const {
    report.set("rupture.moment", moment);
    report.set("rupture.area", area);
    report.set("rupture.mean_slip", mean_slip);
    report.set("rupture.largest_slip", largest_slip);
    report.set("rupture.largest_slip_rate", largest_rate);
    report.set("rupture.friction_work", friction_work);
    report.set("rupture.released_work", released_work);
    if (!(moment > 0.0)) {
        report.add_line("rupture            none: nothing has slipped");
        return;
    }
    report.set("rupture.magnitude", magnitude());
    report.add_line(
        fmt::format("rupture            magnitude {:.2f} ({:.4g} N m), {:.4g} km² ruptured, slip {:.3g} m on "
                    "average, up to {:.3g} m and "
                    "{:.3g} m/s",
                    magnitude(), moment, area / 1e6, mean_slip, largest_slip, largest_rate));
    report.add_line(fmt::format("  energy           {:.4g} J into friction, {:.4g} J into waves and strain",
                                friction_work, released_work));
}

template <class Real>
FaultTotals totals_of(MPI_Comm comm, const Fault<Real>& fault, std::span<const Material> material) {
    std::vector<parallel::ExactSum> sums(5);
    FaultTotals all;
    const FaultRule& rule = fault.rule();
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        const double a = material[place.cell[0]].mu, b = material[place.cell[1]].mu;
        const double mu = a > 0.0 && b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
        for (int p = 0; p < rule.points(); ++p) {
            const auto state = [&](int which) { return fault.state(static_cast<std::int32_t>(f), which, p); };
            const double area = 2.0 * rule.place.weight[p] * place.area;
            sums[0].add(mu * area * state(slip_path));
            sums[3].add(area * state(friction_work));
            sums[4].add(area * state(released_work));
            all.largest_slip = std::max(all.largest_slip, state(slip_path));
            all.largest_rate = std::max(all.largest_rate, state(peak_rate));
            if (state(rupture_time) >= never_ruptured) continue;
            sums[1].add(area);
            sums[2].add(area * state(slip_path));
        }
    }
    const std::vector<double> totals = parallel::sum(comm, sums);
    all.moment = totals[0];
    all.area = totals[1];
    all.mean_slip = totals[1] > 0.0 ? totals[2] / totals[1] : 0.0;
    all.friction_work = totals[3];
    all.released_work = totals[4];
    all.largest_slip = parallel::max(comm, all.largest_slip);
    all.largest_rate = parallel::max(comm, all.largest_rate);
    return all;
}

template FaultTotals totals_of(MPI_Comm, const Fault<float>&, std::span<const Material>);
template FaultTotals totals_of(MPI_Comm, const Fault<double>&, std::span<const Material>);

}  // namespace groundswell::quake
