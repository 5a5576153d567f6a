#include "groundswell/quake/fault/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/profile/held_memory.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/fault/rule.hpp"

namespace groundswell::quake {

namespace {

// What a rank has seen of its faults.
struct Seen {
    std::int64_t points = 0, able = 0;
    std::int64_t pulled = 0;  // under tension
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

double parameter(const LawDescription& law, const FaultPoint& point, std::string_view name,
                 double otherwise) {
    const auto found = std::ranges::find(law.at_places, name, &LawParameter::name);
    return found == law.at_places.end()
               ? otherwise
               : point.parameter[static_cast<std::size_t>(found - law.at_places.begin())];
}

// Whether rupture may begin at a place, and how large a circle of such places would have to be to drive a front by itself: radius
// (7π/24) μ D_c (τ_s − τ_d) / (τ − τ_d)² (Day 1982, BSSA 72, 1881–1902).
void look_for_patch(const LawDescription& law, const FaultSpot& spot, const FaultPoint& point, double area,
                    Seen& seen) {
    const auto of = [&](const char* name) { return parameter(law, point, name, 0.0); };
    std::array<double, 3> traction = point.traction;
    for (int i = 0; i < 3; ++i) traction[i] += point.nucleation[i];
    const double pressure = std::max(-traction[0], 0.0), shear = std::hypot(traction[1], traction[2]);
    const double strength = of("cohesion") + of("static_friction") * pressure;
    seen.forced |= parameter(law, point, "forced_rupture_time", never_ruptured) < never_ruptured;
    seen.closest = std::max(seen.closest, strength > 0.0 ? shear / strength : shear > 0.0 ? 1e30 : 0.0);
    if (!(shear > strength)) return;
    seen.patch.add(area);
    const double drop = (of("static_friction") - of("dynamic_friction")) * pressure;
    const double excess = shear - of("cohesion") - of("dynamic_friction") * pressure;
    seen.critical_radius = std::min(seen.critical_radius, 7.0 * base::pi / 24.0 * spot.mu *
                                                              of("slip_distance") * drop / (excess * excess));
}

void see_zone(double zone, double edge, Seen& seen) {
    if (!(zone / edge < seen.least_zone)) return;
    seen.least_zone = zone / edge;
    seen.edge = edge;
}

void look_at(const Case& run, const LawDescription& law, const FaultSpot& spot, const FaultPoint& point,
             double edge, double area, Seen& seen) {
    const tetra::Point& place = spot.place;
    ++seen.points;
    seen.area.add(area);
    const auto& entries = run.fault->entries;
    for (std::size_t i = 0; i < entries.size(); ++i)
        seen.in_entry[i] += static_cast<std::int64_t>(entries[i].weight(spot) > 0.0);
    seen.pulled += static_cast<std::int64_t>(point.traction[0] > 0.0);
    const double pressure = std::max(-point.traction[0], 0.0);
    const double shear = std::hypot(point.traction[1], point.traction[2]);
    const double first = parameter(law, point, "static_friction", -1.0);
    if (first < 0.0) {
        base::require(point.traction[0] <= 0.0, run.fault->stated_at, "fault.set.stress",
                      fmt::format("{:.3g} Pa of normal stress", point.traction[0]),
                      fmt::format("compression, which is negative, at {:.6g}, {:.6g}, {:.6g}: rate-and-state "
                                  "friction is that of faces that press on each other",
                                  place[0], place[1], place[2]));
        base::require(
            shear > 1e-12 * pressure || pressure == 0.0, run.fault->stated_at, "fault.set.stress",
            fmt::format("{:.3g} Pa of shear", shear),
            fmt::format("some at {:.6g}, {:.6g}, {:.6g}, where {:.3g} Pa press: rate-and-state friction "
                        "begins in the state in which the stress drives initial_slip_rate, and none "
                        "does without shear",
                        place[0], place[1], place[2], pressure));
        const double b = parameter(law, point, "b", 0.0);
        seen.able += static_cast<std::int64_t>(parameter(law, point, "a", 0.0) < b);
        // Behind a front friction falls by b and some, or where it weakens strongly by most of what it is.
        const double weakening =
            std::max(b, shear / std::max(pressure, 1.0) - parameter(law, point, "weakened_friction", 1e30));
        if (pressure > 0.0)
            see_zone(9.0 * base::pi / 32.0 * spot.mu * parameter(law, point, "state_distance", 0.0) /
                         (weakening * pressure),
                     edge, seen);
        return;
    }
    const double last = parameter(law, point, "dynamic_friction", 0.0);
    base::require(first >= last, run.fault->stated_at, "fault.set.static_friction",
                  fmt::format("{:.6g}", first),
                  fmt::format("at least dynamic_friction, which is {:.6g} at {:.6g}, {:.6g}, {:.6g}", last,
                              place[0], place[1], place[2]));
    const double cohesion = parameter(law, point, "cohesion", 0.0);
    if (shear > cohesion + first * pressure) {
        seen.failing.add(area);
        for (int i = 0; i < 3; ++i) seen.failing_at[i].add(place[i] * area);
    }
    look_for_patch(law, spot, point, area, seen);
    const double drop = (first - last) * pressure;
    // What does not weaken has no front.
    if (!(drop > 0.0) || !(first < 100.0)) return;
    const double zone = 9.0 * base::pi / 32.0 * spot.mu * parameter(law, point, "slip_distance", 0.0) / drop;
    see_zone(zone, edge, seen);
}

Seen look(const Case& run, const Domain& domain, const FaultInput& input) {
    const LawDescription& law = *find_law(input.law);
    const FaultRule rule(run.solver.order, input.points);
    Seen seen;
    seen.in_entry.resize(run.fault->entries.size());
    const tetra::LocalMesh& mesh = domain.mesh;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        for (int f = 0; f < 4; ++f) {
            if (!tetra::is_fault(mesh.cell[cell].boundary[f])) continue;
            std::array<tetra::Point, 3> corner;
            for (int i = 0; i < 3; ++i) corner[i] = mesh.cell[cell].place[tetra::face_corners[f][i]];
            const auto geometry = tetra::geometry_of(mesh.cell[cell].place);
            // From the + to the − side, whichever of the two looks.
            tetra::Point normal = geometry.normal[f];
            if (!mesh.cell[cell].is_plus(f)) normal = {-normal[0], -normal[1], -normal[2]};
            const FaultFrame frame = frame_of(normal);
            const double mu =
                shear_modulus_between(domain.material[cell], domain.material[mesh.across[cell][f].cell]);
            const double edge = std::sqrt(geometry.area[f] * 4.0 / std::sqrt(3.0));
            for (std::size_t p = 0; p < rule.place.size(); ++p) {
                const auto& [chi, tau] = rule.place.point[p];
                FaultSpot spot{{}, frame, mu, tetra::tag_of(mesh.cell[cell].boundary[f])};
                for (int i = 0; i < 3; ++i)
                    spot.place[i] =
                        corner[0][i] * (1.0 - chi - tau) + corner[1][i] * chi + corner[2][i] * tau;
                // Both sides of a face look at it.
                look_at(run, law, spot, input.at(spot), edge, rule.place.weight[p] * geometry.area[f], seen);
            }
        }
    }
    return seen;
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

void judge(MPI_Comm comm, const Case& run, Seen& seen) {
    const FaultOptions& fault = *run.fault;
    const auto sum = [&](std::int64_t value) { return parallel::sum(comm, value); };
    const std::int64_t points = sum(seen.points), able = sum(seen.able);
    std::array<parallel::ExactSum, 5> sums{seen.area, seen.failing, seen.failing_at[0], seen.failing_at[1],
                                           seen.failing_at[2]};
    const std::vector<double> of_all = parallel::sum(comm, sums);
    const double area = of_all[0], failing = of_all[1];
    base::require(
        points > 0, fault.stated_at, "fault", "given",
        fmt::format("a mesh with a fault: {} has none (a surface named 'fault…', or the tag 3 or above 64)",
                    run.mesh.name()));
    for (std::size_t i = 0; i < fault.entries.size(); ++i) {
        const std::int64_t inside = sum(seen.in_entry[i]);
        base::require(
            inside > 0, fault.entries[i].stated_at, "fault.set", std::to_string(i + 1),
            "faults of these tags, and a box or sphere, with some of a fault in them: there is none");
    }
    const bool first = parallel::rank_of(comm) == 0;
    const std::int64_t pulled = sum(seen.pulled);
    const std::string sign = 2 * pulled > points
                                 ? ": tension is positive, and compression, under which a fault "
                                   "bears shear, is negative"
                                 : "";
    const bool weakens = find_law(fault.law)->at_places.front().name == "static_friction";
    if (weakens) {
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
    } else if (able == 0 && first) {
        base::log_warning(
            "fault: a is not below b anywhere: slip only strengthens it, and no rupture can begin by itself");
    }
    if (!sign.empty() && first)
        base::log_warning("fault: fault.set.stress: the normal stress pulls {:.3g} % of it apart{}",
                          100.0 * static_cast<double>(pulled) / static_cast<double>(points), sign);
    const double least = parallel::min(comm, seen.least_zone);
    const double edge = parallel::max(comm, seen.least_zone == least ? seen.edge : 0.0);
    // Day et al. 2005 and Tago et al. 2012 find one element of order 3 across it enough.
    const double wanted = 3.0 / run.solver.order;
    if (least < wanted && first)
        base::log_warning(
            "fault: the zone behind a rupture's front in which it weakens ({}) is only {:.2g} elements "
            "across "
            "where they are {:.4g} m long: expected {:.2g} at order {}, elements of {:.4g} m",
            weakens ? "9π/32 μ D_c / strength drop"
                    : "9π/32 μ L / (b σ), with the fall of friction in place of b where that is more",
            least, edge, wanted, run.solver.order, edge * least / wanted);
}

// What a rank's part of the faults needs of grids, or of all rock where that is under the fault's stress.
void load_grids(const Case& run, const tetra::LocalMesh& mesh) {
    const bool all = run.plasticity && !run.plasticity->has_stress();
    Region region;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const auto& faces = mesh.cell[cell].boundary;
        if (!all && std::ranges::none_of(faces, tetra::is_fault)) continue;
        for (const tetra::Point& corner : mesh.cell[cell].place) region.add(corner);
    }
    for (const FaultEntry& entry : run.fault->entries) {
        base::require(
            !all || entry.tags.empty() || !entry.may_stress(), entry.stated_at, "fault.set.tags",
            "given, next to stress",
            "stress of all faults, as [plasticity] has none of its own: that of the rock is theirs");
        if (!entry.grid) continue;
        entry.grid->load(*find_law(run.fault->law), region);
        base::require(!entry.grid->nucleates() || run.fault->nucleation_duration > 0.0, run.fault->stated_at,
                      "fault.nucleation_duration", "not given",
                      fmt::format("a duration in s, as {} has a nucleation", entry.grid->file()));
    }
}

}  // namespace

std::unique_ptr<const FaultInput> make_fault_input(MPI_Comm comm, const Case& run, const Domain& domain) {
    if (!run.fault) return nullptr;
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const parallel::MemoryHolder holder(parallel::MemoryPart::forcing);
    auto input = std::make_unique<FaultInput>();
    const FaultOptions& fault = *run.fault;
    input->law = fault.law;
    input->of_fault = fault.of_fault;
    input->points = fault.points;
    input->pressure = fault.pressure;
    input->scheme = fault.scheme;
    input->nucleation_duration = fault.nucleation_duration;
    input->counts_jump = run.rupture_series && run.rupture_series->of_jump;
    input->at = [&fault](const FaultSpot& spot) { return fault.at(spot); };
    Seen seen;
    parallel::agree(comm, [&] {
        load_grids(run, domain.mesh);
        seen = look(run, domain, *input);
    });
    judge(comm, run, seen);
    return input;
}

}  // namespace groundswell::quake
