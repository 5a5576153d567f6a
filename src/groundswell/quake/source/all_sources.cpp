#include "groundswell/quake/source/all_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/source/rupture/plane.hpp"
#include "groundswell/quake/source/rupture/read.hpp"
#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

void add_points(MPI_Comm comm, const std::vector<SourceSection>& points, const std::string& file,
                const Domain& domain, const AddSources& add) {
    std::vector<tetra::Point> places;
    for (const SourceSection& section : points) places.push_back(section.source.place);
    const auto found = tetra::locate(comm, domain.mesh, places);
    Strays strays;
    double farthest = 0.0;
    for (std::size_t s = 0; s < found.size(); ++s)
        if (found[s].id < 0) {
            farthest = std::max(farthest, found[s].outside);
            strays.add(points[s].name, places[s],
                       fmt::format("nearest corner {:.4g} m away", found[s].outside));
        }
    strays.refuse(comm, file, "source.point[].place", found.size(),
                  "places within the mesh, " + domain.ranges.extent() + domain.explain_distance(farthest));
    for (std::size_t s = 0; s < found.size(); ++s)
        if (found[s].cell >= 0) add(found[s].cell, found[s].reference, {&points[s].source, 1});
}

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

AllSources add_sources(MPI_Comm comm, const SourceOptions& options, const std::string& file,
                       const Domain& domain, const AddSources& add) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const parallel::MemoryHolder holder(parallel::MemoryPart::forcing);
    AllSources all;
    SourceTally tally;
    std::optional<tetra::Point> in_water;  // the first that strains what bears no shear
    const AddSources add_and_count = [&](std::int32_t cell, const tetra::Point& reference,
                                         std::span<const PointSource> sources) {
        if (!in_water && domain.material[cell].is_liquid() &&
            std::ranges::any_of(sources, &PointSource::shears))
            in_water = tetra::place_in(domain.mesh.cell[cell].place, reference);
        add(cell, reference, sources);
        tally.add(sources);
    };
    add_points(comm, options.points, file, domain, add_and_count);
    for (const RuptureSection& section : options.ruptures)
        all.ruptures.push_back(spread(
            comm, domain, section.name, section.file,
            [&] { return read_rupture(file, domain.projection, section); }, add_and_count));
    for (const PlaneSection& section : options.planes)
        all.ruptures.push_back(spread(
            comm, domain, section.name, file, [&] { return rupture_of(section.plane); }, add_and_count));
    parallel::agree(comm, [&] {
        if (in_water)
            base::refuse(
                file, "source",
                fmt::format("{:.6g}, {:.6g}, {:.6g} m", (*in_water)[0], (*in_water)[1], (*in_water)[2]),
                "a place in rock: water bears no shear, and a source in it is a force or presses "
                "alike from all sides");
    });
    all.totals = tally.total(comm);
    return all;
}

void AllSources::announce() const {
    for (const SpreadRupture& rupture : ruptures) {
        const std::string silent =
            rupture.silent == 0 ? "" : fmt::format(" ({} more do not slip)", rupture.silent);
        base::log_info("{}: {} sub-sources{}, {}, from {:.4g} to {:.4g} s", rupture.name, rupture.parts,
                       silent, text_of(rupture.extent), rupture.times.begin, rupture.times.end);
    }
    if (totals.moment > 0.0)
        base::log_info("sources: seismic moment {:.4g} N m, magnitude {:.2f}", totals.moment,
                       moment_magnitude(totals.moment));
}

void AllSources::report(simulation::Report& report) const {
    report.set("sources.count", totals.count);
    for (std::size_t r = 0; r < ruptures.size(); ++r) {
        const SpreadRupture& rupture = ruptures[r];
        const auto set = [&](const char* key, auto value) {
            report.set(fmt::format("sources.ruptures.{}.{}", r, key), value);
        };
        set("sub_sources", rupture.parts);
        set("silent", rupture.silent);
        set("begin_seconds", rupture.times.begin);
        set("end_seconds", rupture.times.end);
        for (int j = 0; j < 3; ++j) {
            set(j == 0 ? "lowest.x" : (j == 1 ? "lowest.y" : "lowest.z"), rupture.extent.low[j]);
            set(j == 0 ? "highest.x" : (j == 1 ? "highest.y" : "highest.z"), rupture.extent.high[j]);
        }
    }
    if (!(totals.moment > 0.0)) return;
    const double magnitude = moment_magnitude(totals.moment);
    report.set("seismic_moment", totals.moment);
    report.set("magnitude", magnitude);
    constexpr const char* axes[] = {"x", "y", "z"};
    for (int j = 0; j < 3; ++j) report.set(fmt::format("sources.centroid.{}", axes[j]), totals.centroid[j]);
    report.set("sources.centroid.seconds", totals.centroid_time);
    constexpr const char* components[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    for (int i = 0; i < 6; ++i)
        report.set(fmt::format("sources.moment_tensor.{}", components[i]), totals.tensor[i]);
    report.add_line(fmt::format("sources            {} with a moment of {:.4g} N m, magnitude {:.2f}",
                                totals.count, totals.moment, magnitude));
}

void warn_of_late_sources(const SourceOptions& options, const std::string& file,
                          std::span<const SpreadRupture> ruptures, double end) {
    std::string name;
    double begin = 0.0;
    int late = 0;
    const auto add = [&](const std::string& its_name, double its_begin) {
        if (++late > 1) return;
        name = its_name;
        begin = its_begin;
    };
    for (const SourceSection& point : options.points)
        if (const double onset = point.source.rate->onset(); onset >= end) add(point.name, onset);
    for (const SpreadRupture& rupture : ruptures)
        if (rupture.times.begin >= end) add(rupture.name, rupture.times.begin);
    if (late == 0) return;
    base::log_warning(
        "{}: {}{}: acts from {:.4g} s on, and time.end is {:.4g} s: less than a thousandth of it comes "
        "before (times are in seconds after the start)",
        file, name, late == 1 ? "" : fmt::format(" and {} more", late - 1), begin, end);
}

void warn_of_short_waves(MPI_Comm comm, const SourceOptions& options, const std::string& file,
                         const Domain& domain, int order, std::span<const SpreadRupture> ruptures) {
    std::string name;
    double reach = 0.0;
    const auto look_at = [&](const std::string& its_name, double its_reach) {
        if (its_reach <= reach) return;
        name = its_name;
        reach = its_reach;
    };
    for (const SourceSection& point : options.points)
        look_at(point.name, point.source.rate->highest_frequency());
    for (const SpreadRupture& rupture : ruptures) look_at(rupture.name, rupture.highest_frequency);
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
