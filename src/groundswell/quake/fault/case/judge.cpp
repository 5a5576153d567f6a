#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/fault/case/options.hpp"
#include "groundswell/quake/source/point/point_source.hpp"

namespace groundswell::quake {

namespace {

// What a rank has seen of its faults.
struct Seen {
    std::int64_t points = 0, weakens = 0;
    std::int64_t pulled = 0;    // under tension
    double greatest = 0.0;      // Pa, of all tractions, at the start or with all of the nucleation
    parallel::ExactSum moment;  // N m, of slip that is given
    // m², of all, and of what is above its strength; the coordinates of those places times their areas, m³.
    parallel::ExactSum area, failing;
    std::array<parallel::ExactSum, 3> failing_at;
    // Where stress exceeds the strength, at the start or with all of the nucleation, or where rupture is forced.
    parallel::ExactSum patch;                                          // m²
    double critical_radius = std::numeric_limits<double>::infinity();  // m, the least of those places
    double closest = 0.0;                                              // shear stress over strength, at most
    bool forced = false;
    std::vector<std::int64_t> in_entry;
    double least_zone = std::numeric_limits<double>::infinity();  // elements across a cohesive zone
    double edge = 0.0;                                            // m, where that is
};

void see_zone(double zone, double edge, Seen& seen) {
    if (!(zone / edge < seen.least_zone)) return;
    seen.least_zone = zone / edge;
    seen.edge = edge;
}

// What acts at a point of a fault, at the start and with all of the nucleation.
struct Acting {
    FaultSpot spot;
    double area;  // m²
    StressedPlace first, last;
};

// Whether rupture may begin at a place, and how large a circle of such places would have to be to drive a front by itself: radius
// (7π/24) μ D_c (τ_s − τ_d) / (τ − τ_d)² (Day 1982, BSSA 72, 1881–1902).
void look_for_patch(const LawDescription& law, const Acting& point, Seen& seen) {
    const StressedPlace& at = point.last;
    const auto [strength, weak, distance, goes_on] = law.weakening(at);
    seen.forced |= law.forced(at.parameter);
    seen.closest = std::max(seen.closest, strength > 0.0 ? at.shear / strength : at.shear > 0.0 ? 1e30 : 0.0);
    if (!(at.shear > strength)) return;
    seen.patch.add(point.area);
    const double excess = at.shear - weak;
    seen.critical_radius = std::min(seen.critical_radius, 7.0 * base::pi / 24.0 * point.spot.mu * distance *
                                                              (strength - weak) / (excess * excess));
}

void look_at(const FaultOptions& options, const LawDescription& law, const Acting& point, double edge,
             Seen& seen) {
    const tetra::Point& place = point.spot.place;
    ++seen.points;
    seen.area.add(point.area);
    const auto& entries = options.entries;
    for (std::size_t i = 0; i < entries.size(); ++i)
        seen.in_entry[i] += static_cast<std::int64_t>(entries[i].weight(point.spot) > 0.0);
    seen.pulled += static_cast<std::int64_t>(point.first.normal > 0.0);
    for (const StressedPlace& acting : {point.first, point.last})
        seen.greatest = std::max({seen.greatest, std::abs(acting.normal), acting.shear});
    const StressedPlace& at = point.first;
    if (const auto objection = law.objection(at))
        base::refuse(options.stated_at, fmt::format("fault.set.{}", objection->key),
                     fmt::format("{:.6g}{} at {:.6g}, {:.6g}, {:.6g}", objection->found, objection->unit,
                                 place[0], place[1], place[2]),
                     fmt::format(fmt::runtime(objection->expected), fmt::format("{:.6g}", objection->limit)));
    const auto [strength, weak, distance, goes_on] = law.weakening(at);
    seen.weakens += static_cast<std::int64_t>(goes_on);
    if (law.sticks) {
        if (at.shear > strength) {
            seen.failing.add(point.area);
            for (int i = 0; i < 3; ++i) seen.failing_at[i].add(place[i] * point.area);
        }
        look_for_patch(law, point, seen);
    }
    const double drop = strength - weak;
    // What does not weaken has no front, and what is made too strong to break none either.
    if (drop > 0.0 && strength < 100.0 * at.pressure())
        see_zone(9.0 * base::pi / 32.0 * point.spot.mu * distance / drop, edge, seen);
}

Seen look(const FaultOptions& options, const Fault& fault) {
    const LawDescription& law = *find_law(options.law);
    const FaultRule& rule = fault.rule();
    Seen seen;
    seen.in_entry.resize(options.entries.size());
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        const auto face = static_cast<std::int32_t>(f);
        for (int p = 0; p < rule.points(); ++p) {
            const auto under = [&](double time) {
                const auto acting = [&](int component) { return fault.acting(face, component, p, time); };
                return StressedPlace{fault.parameters(face, p), acting(0) * fault.felt(face, p, time),
                                     std::hypot(acting(1), acting(2))};
            };
            if (law.slip_until != nullptr) {
                const auto [strike, dip] = fault.given_slip(face, p);
                seen.moment.add(place.mu * 2.0 * rule.place.weight[p] * place.area * std::hypot(strike, dip));
            }
            look_at(options, law,
                    {place.spot(place.point(rule.place.point[p])), 2.0 * rule.place.weight[p] * place.area,
                     under(0.0), under(std::numeric_limits<double>::max())},
                    std::sqrt(place.area * 4.0 / std::sqrt(3.0)), seen);
        }
    }
    return seen;
}

// Stress in MPa or in kbar is a million or a hundred million times too small, and nothing else of a case would show it.
void require_stress(MPI_Comm comm, const FaultOptions& fault, const Seen& seen) {
    constexpr double least = 1e4, most = 1e11;  // Pa, of the greatest: a metre of rock to the Earth's core
    const double greatest = parallel::max(comm, seen.greatest);
    if (fault.unusual || find_law(fault.law)->slip_until != nullptr) return;
    parallel::agree(comm, [&] {
        base::require(
            greatest == 0.0 || (greatest >= least && greatest <= most), fault.stated_at, "fault.set.stress",
            fmt::format("{:.6g} Pa, where it is greatest", greatest),
            fmt::format(
                "pascals, {:g} to {:g} (was another unit meant, such as MPa?); [fault] unusual = true "
                "if it is meant",
                least, most));
    });
}

// Numbers that nobody says, where the law has one for that: cohesion, of which there may be none or which was forgotten.
void tell_usual(const FaultOptions& fault) {
    const LawDescription& law = *find_law(fault.law);
    if (law.slip_until != nullptr) return;  // slip that is given along strike alone is meant
    const auto& numbers = law.at_places;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const LawParameter& number = numbers[i];
        const bool is_said = std::ranges::any_of(fault.entries, [&](const FaultEntry& entry) {
            const auto is_this = [&](const FaultGrid::Column& column) {
                return column.what == FaultGrid::Column::parameter && column.index == i;
            };
            return std::ranges::find(entry.parameter, i, [](const auto& said) { return said.first; }) !=
                       entry.parameter.end() ||
                   (entry.grid && std::ranges::any_of(entry.grid->columns(), is_this));
        });
        if (!is_said && number.usual && std::isfinite(*number.usual) && !number.name.empty())
            base::log_info("fault: {} is {:g} {} everywhere, as no [[fault.set]] says it", number.name,
                           *number.usual, number.unit);
    }
}

// Tells of faults on which no rupture will begin, or none will go far.
void judge_patch(MPI_Comm comm, Seen& seen) {
    const double area = parallel::sum(comm, {&seen.patch, 1}).front();
    const double closest = parallel::max(comm, seen.closest);
    const double radius = parallel::min(comm, seen.critical_radius);
    if (parallel::max(comm, std::int64_t{seen.forced}) != 0 || parallel::rank_of(comm) != 0) return;
    if (area == 0.0)
        base::log_warning(
            "fault: no rupture begins by itself: where stress is closest to the strength it is {:.3g} % of "
            "it, with all of the "
            "nucleation: expected a patch where it is more (stress, nucleation), or forced_rupture_time",
            100.0 * closest);
    else if (area < base::pi * radius * radius)
        base::log_warning(
            "fault: the patch on which stress exceeds the strength, {:.3g} km², is smaller than a circle of "
            "{:.3g} m, which "
            "could drive a rupture by itself (Day 1982): expected a larger one, or more stress on it",
            area / 1e6, radius);
}

void judge(MPI_Comm comm, const FaultOptions& fault, const std::string& mesh, int order, Seen& seen) {
    const auto sum = [&](std::int64_t value) { return parallel::sum(comm, value); };
    const std::int64_t points = sum(seen.points), weakens = sum(seen.weakens);
    std::array<parallel::ExactSum, 6> sums{seen.area,          seen.failing,       seen.failing_at[0],
                                           seen.failing_at[1], seen.failing_at[2], seen.moment};
    const std::vector<double> of_all = parallel::sum(comm, sums);
    const double area = of_all[0], failing = of_all[1];
    base::require(
        points > 0, fault.stated_at, "fault", "given",
        fmt::format("a mesh with a fault: {} has none (a surface named 'fault…', or the tag 3 or above 64)",
                    mesh));
    for (std::size_t i = 0; i < fault.entries.size(); ++i) {
        const std::int64_t inside = sum(seen.in_entry[i]);
        base::require(
            inside > 0, fault.entries[i].stated_at, "fault.set", std::to_string(i + 1),
            "faults of these tags, and a box or sphere, with some of a fault in them: there is none");
    }
    require_stress(comm, fault, seen);
    const bool first = parallel::rank_of(comm) == 0;
    if (first) tell_usual(fault);
    const std::int64_t pulled = sum(seen.pulled);
    const std::string sign = 2 * pulled > points
                                 ? ": tension is positive, and compression, under which a fault "
                                   "bears shear, is negative"
                                 : "";
    const LawDescription& law = *find_law(fault.law);
    if (law.slip_until != nullptr) {
        base::require(of_all[5] > 0.0, fault.stated_at, "fault", "no slip anywhere",
                      "slip that is given at some place of the mesh's fault");
        if (first)
            base::log_info("fault: slip is given, {:.6g} N m of it, magnitude {:.2f}", of_all[5],
                           moment_magnitude(of_all[5]));
    } else if (law.sticks) {
        base::require(
            failing < area, fault.stated_at, "fault.set.stress", "above the strength everywhere",
            "stress that only a part of the fault, where rupture begins, fails under at once" + sign);
        if (failing > 0.0 && first) {
            const double share = failing / area;
            const std::string found =
                fmt::format("{:.3g} % of it fails at once, around {:.0f}, {:.0f}, {:.0f} m", 100.0 * share,
                            of_all[2] / failing, of_all[3] / failing, of_all[4] / failing);
            // Nucleation is a small part of a fault: more is stress, or friction, that was not meant.
            if (share > 0.25)
                base::log_warning(
                    "fault: fault.set.stress: {}: that much slips together, with no rupture that runs: "
                    "expected stress above the strength only where rupture begins",
                    found);
            else
                base::log_info("fault: {}", found);
        }
        judge_patch(comm, seen);
    } else if (weakens == 0 && first) {
        base::log_warning(
            "fault: slip strengthens all of it, and no rupture can begin by itself: expected {} somewhere",
            law.weakens_where);
    }
    if (!sign.empty() && first)
        base::log_warning("fault: fault.set.stress: the normal stress pulls {:.3g} % of it apart{}",
                          100.0 * static_cast<double>(pulled) / static_cast<double>(points), sign);
    const double least = parallel::min(comm, seen.least_zone);
    const double edge = parallel::max(comm, seen.least_zone == least ? seen.edge : 0.0);
    // Day et al. 2005 and Tago et al. 2012 find one element of order 3 across it enough.
    const double wanted = 3.0 / order;
    if (least < wanted && first)
        base::log_warning(
            "fault: the zone behind a rupture's front in which it weakens (9π/32 μ times the slip that "
            "weakens, over the fall of strength) is only {:.2g} elements across where they are {:.4g} m "
            "long: expected {:.2g} at order {}, elements of {:.4g} m{}",
            least, edge, wanted, order, edge * least / wanted,
            // As a slip distance in kilometres makes it.
            least < 0.01 * wanted ? " (the slip over which the fault weakens is in metres)" : "");
}

}  // namespace

void judge_fault(MPI_Comm comm, const FaultOptions& options, const std::string& mesh, const Fault& fault) {
    Seen seen;
    parallel::agree(comm, [&] { seen = look(options, fault); });
    judge(comm, options, mesh, fault.rule().order, seen);
}

}  // namespace groundswell::quake
