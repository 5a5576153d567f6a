#include "groundswell/quake/fault/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

void set(simulation::Report& report, const std::string& table, const FaultTotals& of) {
    report.set(table + ".moment", of.moment);
    if (of.moment_of_jump > 0.0) report.set(table + ".moment_of_jump", of.moment_of_jump);
    report.set(table + ".area", of.area);
    report.set(table + ".mean_slip", of.mean_slip);
    report.set(table + ".largest_slip", of.largest_slip);
    report.set(table + ".largest_slip_rate", of.largest_rate);
    report.set(table + ".friction_work", of.friction_work);
    report.set(table + ".fracture_work", of.fracture_work);
    report.set(table + ".released_work", of.released_work);
    report.set(table + ".radiated_energy", of.radiated_energy);
    if (of.moment > 0.0) report.set(table + ".magnitude", of.magnitude());
}

std::string words(const FaultTotals& of) {
    if (!(of.moment > 0.0)) return "nothing has slipped";
    return fmt::format(
        "magnitude {:.2f} ({:.4g} N m), {:.4g} km² ruptured, slip {:.3g} m on average, up to {:.3g} m and "
        "{:.3g} m/s",
        of.magnitude(), of.moment, of.area / 1e6, of.mean_slip, of.largest_slip, of.largest_rate);
}

// Ascending. Collective.
std::vector<int> tags_of(MPI_Comm comm, const Fault& fault) {
    constexpr std::int64_t none = tetra::highest_fault_tag + 1;
    std::vector<int> tags;
    for (std::int64_t last = -1;;) {
        std::int64_t next = none;
        for (const FaultPlace& place : fault.places()) {
            if (place.tag > last) next = std::min<std::int64_t>(next, place.tag);
        }
        last = parallel::min(comm, next);
        if (last == none) return tags;
        tags.push_back(static_cast<int>(last));
    }
}

}  // namespace

void RuptureTotals::add_to(simulation::Report& report) const {
    set(report, "rupture", all);
    report.add_line("rupture            " + words(all));
    if (!(all.moment > 0.0)) return;
    report.add_line(
        fmt::format("  energy           {:.4g} J into friction, of it {:.4g} J fracture; {:.4g} J into "
                    "strain and waves, of it {:.4g} J radiated",
                    all.friction_work, all.fracture_work, all.released_work, all.radiated_energy));
    if (of_fault.size() < 2) return;
    for (const auto& [tag, totals] : of_fault) {
        set(report, fmt::format("rupture.tag_{}", tag), totals);
        report.add_line(fmt::format("  {:<17}{}", fmt::format("fault {}", tag), words(totals)));
    }
}

void FaultSums::add(const FaultRule& rule, double face_area, double mu, std::span<const double> strength,
                    std::span<const double> state) {
    const int points = rule.points();
    for (int p = 0; p < points; ++p) {
        const auto at = [&](int which) { return state[which * points + p]; };
        const double patch = 2.0 * rule.place.weight[p] * face_area, path = at(slip_path);
        sums_[moment].add(mu * patch * path);
        sums_[moment_of_jump].add(mu * patch * at(jump_path));
        sums_[moment_rate].add(mu * patch * std::hypot(at(rate_strike), at(rate_dip)));
        sums_[by_friction].add(patch * at(friction_work));
        sums_[released].add(patch * at(released_work));
        const double strike = at(strike_change), dip = at(dip_change);
        sums_[fracture].add(patch * (at(friction_work) - strength[p] * path));
        const double strain = -0.5 * (strike * at(slip_strike) + dip * at(slip_dip));
        sums_[radiated].add(patch * (at(released_work) - strain));
        largest_slip_ = std::max(largest_slip_, path);
        largest_rate_ = std::max(largest_rate_, at(peak_rate));
        if (at(rupture_time) >= never_ruptured) continue;
        sums_[area].add(patch);
        sums_[slip].add(patch * path);
    }
}

void FaultSums::add(const FaultSums& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].add(other.sums_[i]);
    largest_slip_ = std::max(largest_slip_, other.largest_slip_);
    largest_rate_ = std::max(largest_rate_, other.largest_rate_);
}

std::vector<FaultTotals> FaultSums::totals(MPI_Comm comm, std::span<const FaultSums> sums) {
    std::vector<parallel::ExactSum> parts;
    std::vector<double> largest;
    for (const FaultSums& one : sums) {
        parts.insert(parts.end(), one.sums_.begin(), one.sums_.end());
        largest.insert(largest.end(), {one.largest_slip_, one.largest_rate_});
    }
    const std::vector<double> total = parallel::sum(comm, parts);
    largest = parallel::max(comm, std::move(largest));
    std::vector<FaultTotals> all(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double* const of = total.data() + i * all_sums;
        all[i] = {of[moment],
                  of[moment_of_jump],
                  of[moment_rate],
                  of[area],
                  of[area] > 0.0 ? of[slip] / of[area] : 0.0,
                  largest[2 * i],
                  largest[2 * i + 1],
                  of[by_friction],
                  of[fracture],
                  of[released],
                  of[radiated]};
    }
    return all;
}

RuptureTotals totals_of(MPI_Comm comm, const Fault& fault, double time) {
    fault.bring();
    const std::vector<int> tags = tags_of(comm, fault);
    std::vector<FaultSums> sums(1 + tags.size());
    const int points = fault.rule().points();
    std::vector<double> strength(points), state(kept_states * points);
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        const auto face = static_cast<std::int32_t>(f);
        for (int p = 0; p < points; ++p) {
            for (int which = 0; which < kept_states; ++which)
                state[which * points + p] = fault.state(face, which, p);
        }
        for (int p = 0; p < points; ++p) strength[p] = fault.strength(face, p, time, state);
        const auto of_its_fault = std::ranges::lower_bound(tags, place.tag) - tags.begin();
        for (FaultSums* const of : {&sums.front(), &sums[1 + of_its_fault]})
            of->add(fault.rule(), place.area, place.mu, strength, state);
    }
    const std::vector<FaultTotals> totals = FaultSums::totals(comm, sums);
    RuptureTotals all{totals.front(), {}};
    for (std::size_t i = 0; i < tags.size(); ++i) all.of_fault[tags[i]] = totals[1 + i];
    return all;
}

std::vector<std::int64_t> faces_of_clusters(MPI_Comm comm, const Fault& fault, const tetra::LocalMesh& mesh) {
    std::vector<std::int64_t> faces(mesh.groups.size());
    for (const FaultPlace& place : fault.places()) {
        if (!place.mine) continue;
        std::size_t c = 0;
        while (place.cell[0] >= mesh.groups[c].owned().end) ++c;
        ++faces[c];
    }
    for (std::int64_t& all : faces) all = parallel::sum(comm, all);
    return faces;
}

}  // namespace groundswell::quake
