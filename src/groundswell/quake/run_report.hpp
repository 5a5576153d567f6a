#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/fault/totals.hpp"
#include "groundswell/quake/kernels/kernel_bytes.hpp"
#include "groundswell/quake/wavefield.hpp"
#include "groundswell/simulation/model.hpp"

/// Report of a run on its wave field.
namespace groundswell::quake {

/// Times of this rank's kernels, by cluster. Not collective.
template <class Real>
std::vector<simulation::Model::Kernel> kernel_times(Wavefield<Real>& field, bool plastic, bool breaks) {
    std::vector<simulation::Model::Kernel> all;
    const auto& clusters = field.spent();
    const KernelWork& work = field.elements().work();
    const KernelBytes bytes = kernel_bytes<Real>(field.elements().layout());
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        const auto add = [&](const char* name, const auto& spent, double flop, double least_bytes) {
            const auto updates = static_cast<double>(spent.updates);
            all.push_back(
                {name, static_cast<int>(c), spent.seconds, updates, flop * updates, least_bytes * updates});
        };
        add("local", clusters[c].local, work.local, bytes.local());
        add("neighbour", clusters[c].neighbour, work.neighbour, bytes.neighbour());
        if (plastic) add("plasticity", clusters[c].plastic, 0.0, 0.0);
        if (breaks) add("rupture", clusters[c].rupture, 0.0, 0.0);
    }
    return all;
}

/// Factor by which one step for all, of which a run has so many, would have taken longer, by the cost of updates that need
/// nothing for other clusters. Waits and uneven parts, which one step for all has too, are counted against the clusters. Collective.
template <class Real>
double measured_gain(MPI_Comm comm, const Wavefield<Real>& field, std::int32_t cells, double steps_for_all) {
    const auto& effort = field.effort();
    const double ticks = parallel::statistic(comm, effort.ticks).mean;
    const double plain = parallel::statistic(comm, effort.plain_update() * cells).mean;
    return ticks > 0.0 ? plain * steps_for_all / ticks : 1.0;
}

/// Amount of slip; `kinematic`: sources slip too, and the moment of the run is theirs. Collective.
template <class Real>
void report_rupture(MPI_Comm comm, Wavefield<Real>& field, double simulated, bool kinematic,
                    simulation::Report& report) {
    const auto& fault = *field.fault();
    const auto mine = std::ranges::count_if(fault.places(), &FaultPlace::mine);
    report.set("rupture.faces", parallel::sum(comm, static_cast<std::int64_t>(mine)));
    report.set("rupture.face_updates", parallel::sum(comm, fault.solved()));
    const RuptureTotals totals = totals_of(comm, fault, simulated);
    totals.add_to(report);
    if (kinematic || !(totals.all.moment > 0.0)) return;
    report.set("seismic_moment", totals.all.moment);
    report.set("magnitude", totals.all.magnitude());
}

/// Amount of rock that has yielded. Collective.
template <class Real>
void report_plasticity(MPI_Comm comm, Wavefield<Real>& field, simulation::Report& report) {
    std::vector<parallel::ExactSum> sums(2);  // of work and volume
    double largest = 0.0;
    for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
        const double strain = field.plastic_strain(cell);
        largest = std::max(largest, strain);
        if (!(strain > 0.0)) continue;
        sums[0].add(field.plastic_work(cell) * field.volume_of(cell));
        sums[1].add(field.volume_of(cell));
    }
    const std::vector<double> all = parallel::sum(comm, sums);
    largest = parallel::max(comm, largest);
    report.set("plasticity.work", all[0]);
    report.set("plasticity.volume", all[1]);
    report.set("plasticity.largest_strain", largest);
    report.add_line(
        fmt::format("plasticity         {:.4g} km³ have yielded, strain up to {:.3g}, work {:.4g} J",
                    all[1] / 1e9, largest, all[0]));
}

}  // namespace groundswell::quake
