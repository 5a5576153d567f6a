#include "groundswell/quake/mesh/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Wider than all that is seen, and far narrower than a thousand times: light soil to the Earth's core.
constexpr Range usual_density{100.0, 20e3}, usual_vp{50.0, 30e3}, usual_vs{10.0, 20e3};
// Usual range of the widest side and of the depth, m: a quarry to the whole Earth. Mines and laboratories must say so.
constexpr Range usual_size{50.0, 2e7};
constexpr double usual_frequency = 200.0;  // Hz, that all cells carry at most

std::string text_of(const Range& range) {
    return range.low == range.high ? fmt::format("{:.6g}", range.low)
                                   : fmt::format("{:.6g} to {:.6g}", range.low, range.high);
}

bool holds(const Range& usual, const Range& found) {
    return found.low >= usual.low && found.high <= usual.high;
}

// The widest range over all ranks.
class Widest {
public:
    void add(double value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    Range over(MPI_Comm comm) const { return {parallel::min(comm, low_), parallel::max(comm, high_)}; }

private:
    double low_ = unbounded, high_ = -unbounded;
};

void require_rock(const RockOptions& rock, const GroundRanges& ranges) {
    std::string found, expected;
    const auto look = [&](const char* name, const Range& range, const Range& usual, const char* unit) {
        if (holds(usual, range)) return;
        found += fmt::format("{}{} {} {}", found.empty() ? "" : ", ", name, text_of(range), unit);
        expected += fmt::format("{}{} of {:.6g} to {:.6g} {}", expected.empty() ? "" : ", ", name, usual.low,
                                usual.high, unit);
    };
    look("density", ranges.density, usual_density, "kg/m3");
    look("vp", ranges.vp, usual_vp, "m/s");
    if (ranges.vs.low > 0.0) look("vs", ranges.vs, usual_vs, "m/s");
    base::require(
        found.empty(), rock.place, "material.rock[]", found,
        expected +
            " (tables of other programs are often in g/cm3 and km/s); [material] unusual = true if it "
            "is meant");
}

void require_size(const MeshSection& mesh, const GroundRanges& ranges, double highest) {
    const double width = std::max(ranges.high[0] - ranges.low[0], ranges.high[1] - ranges.low[1]);
    const double depth = ranges.high[2] - ranges.low[2];
    const char* const insist = "[mesh] unusual = true if it is meant";
    const bool degrees = width <= 360.0 && depth > width;
    for (const double size : {width, depth})
        base::require(
            size >= usual_size.low && size <= usual_size.high, mesh.name(), "extent", ranges.extent(),
            fmt::format("metres, {:g} to {:g} m wide and deep ({}); {}", usual_size.low, usual_size.high,
                        degrees ? "x and y look like degrees: project them"
                                : "is it in kilometres? multiply its places by 1000",
                        insist));
    base::require(
        highest <= usual_frequency, mesh.name(), "extent", ranges.extent(),
        fmt::format("metres, and cells that do not all carry waves of {:.4g} Hz: no earthquake needs more "
                    "than {:g} Hz (is it in kilometres? multiply its places by 1000); {}",
                    highest, usual_frequency, insist));
}

// The area of a face seen from above, m²; negative where it looks down.
double upward_area(const tetra::Tetrahedron& cell, int face) {
    const tetra::Geometry shape = tetra::geometry_of(cell.place);
    return shape.area[face] * shape.normal[face][2];
}

int utm_zone(double longitude) {
    return static_cast<int>(std::floor((std::remainder(longitude, 360.0) + 180.0) / 6.0)) % 60 + 1;
}

// How the cells of a rank that an entry is about lie among its rows.
struct RowUse {
    double low = unbounded, high = -unbounded;  // of the cells, m
    double flattest = unbounded;  // height of those that reach between the first and the last row, m
};

RowUse use_of(const RockEntry& entry, const RockProfile& profile, const RockOptions& rock,
              const tetra::Slab& slab) {
    RowUse use;
    const double top = profile.rows.front().z, bottom = profile.rows.back().z;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        const auto names = [&](const RockEntry& one) {
            return std::ranges::find(one.groups, slab.group[c]) != one.groups.end();
        };
        if (entry.groups.empty() ? std::ranges::any_of(rock.rock, names) : !names(entry)) continue;
        const auto& place = slab.cell[c].place;
        const auto [low, high] = std::ranges::minmax({place[0][2], place[1][2], place[2][2], place[3][2]});
        use.low = std::min(use.low, low);
        use.high = std::max(use.high, high);
        if (low < top && high > bottom) use.flattest = std::min(use.flattest, high - low);
    }
    return use;
}

}  // namespace

std::string GroundRanges::extent() const {
    return fmt::format("x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g} m", low[0], high[0],
                       low[1], high[1], low[2], high[2]);
}

std::string GroundRanges::rock() const {
    return fmt::format("density {} kg/m3, vp {} m/s, vs {} m/s", text_of(density), text_of(vp), text_of(vs));
}

void GroundRanges::add_to(simulation::Report& report) const {
    constexpr const char* axes[] = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        report.set(fmt::format("ground.lowest.{}", axes[axis]), low[axis]);
        report.set(fmt::format("ground.highest.{}", axes[axis]), high[axis]);
    }
    const auto set = [&](const char* name, const Range& range) {
        report.set(fmt::format("ground.{}.min", name), range.low);
        report.set(fmt::format("ground.{}.max", name), range.high);
    };
    set("density", density);
    set("vp", vp);
    set("vs", vs);
}

GroundRanges ranges_of(MPI_Comm comm, const tetra::Slab& slab, std::span<const Material> material) {
    std::array<Widest, 3> place;
    Widest density, vp, vs;
    double slowest = unbounded;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        for (const tetra::Point& corner : slab.cell[c].place)
            for (std::size_t axis = 0; axis < 3; ++axis) place[axis].add(corner[axis]);
        const Material& rock = material[c];
        density.add(rock.density);
        vp.add(rock.vp());
        vs.add(rock.vs());
        slowest = std::min(slowest, rock.mu > 0.0 ? rock.vs() : rock.vp());
    }
    GroundRanges found;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Range range = place[axis].over(comm);
        found.low[axis] = range.low + 0.0;  // no -0
        found.high[axis] = range.high + 0.0;
    }
    found.density = density.over(comm);
    found.vp = vp.over(comm);
    found.vs = vs.over(comm);
    found.slowest = parallel::min(comm, slowest);
    return found;
}

void require_plausible(MPI_Comm comm, const MeshSection& mesh, const RockOptions& rock,
                       const GroundRanges& ranges, double highest) {
    parallel::agree(comm, [&] {
        if (!rock.unusual) require_rock(rock, ranges);
        if (!mesh.unusual) require_size(mesh, ranges, highest);
    });
}

void warn_of_axes(MPI_Comm comm, const MeshSection& mesh, const tetra::Slab& slab) {
    std::vector<double> free, free_up;  // areas seen from above, m²
    double absorbing = 0.0;             // the largest
    for (const tetra::Tetrahedron& cell : slab.cell) {
        for (int f = 0; f < 4; ++f) {
            const double up = upward_area(cell, f);
            if (tetra::is_surface(cell.boundary[f])) {
                free.push_back(std::abs(up));
                free_up.push_back(up);
            }
            if (cell.boundary[f] == tetra::Boundary::absorbing) absorbing = std::max(absorbing, up);
        }
    }
    // A cave's floor and ceiling, or a body that is free all around, add up to nothing.
    const double surface = parallel::sum(comm, free), looks_up = parallel::sum(comm, free_up);
    const double largest = parallel::max(comm, absorbing);
    if (parallel::rank_of(comm) != 0) return;
    if (looks_up < -1e-6 * surface)
        base::log_warning(
            "{}: the free surface lies under the ground, and the top absorbs: does z count down, or were the "
            "tags of the free surface (1, 101) and of absorbing boundaries (5, 105) swapped?",
            mesh.name());
    else if (surface == 0.0 && largest > 0.0)
        base::log_warning("{}: the top absorbs, and the mesh has no free surface, which tags 1 or 101 say",
                          mesh.name());
}

void warn_of_layers(MPI_Comm comm, const RockOptions& rock, const tetra::Slab& slab) {
    constexpr double thin = 0.1;  // of the flattest cell: no mesh is made for such layers
    for (const RockEntry& entry : rock.rock) {
        const auto* profile = std::get_if<RockProfile>(&entry.what);
        if (profile == nullptr || profile->rows.size() < 2) continue;
        const RowUse mine = use_of(entry, *profile, rock, slab);
        const double low = parallel::min(comm, mine.low) + 0.0, high = parallel::max(comm, mine.high) + 0.0;
        const double flattest = parallel::min(comm, mine.flattest);
        if (parallel::rank_of(comm) != 0) continue;
        const double second = profile->rows[1].z, last = profile->rows.back().z;
        const double thickness = profile->rows.front().z - last;
        const std::string name = profile->gradient ? "material.rock[].gradient" : "material.rock[].layers";
        if (low >= second || high <= last)
            base::log_warning(
                "{}: {}: all elements, z {:.6g} to {:.6g} m, lie in row {}: the other rows, z {:.6g} to "
                "{:.6g} m, hold no element (z is up, in metres: negative below the surface)",
                entry.place, name, low, high, low >= second ? 1 : static_cast<int>(profile->rows.size()),
                profile->rows.front().z, last);
        else if (std::isfinite(flattest) && thickness < thin * flattest)
            base::log_warning(
                "{}: {}: all rows lie within {:.6g} m, from z = {:.6g} to {:.6g} m, where no element is less "
                "than {:.4g} m high (z is in metres: were kilometres meant?)",
                entry.place, name, thickness, profile->rows.front().z, last, flattest);
    }
}

std::string explain_distance(const GroundRanges& mesh, const std::optional<tetra::Projection>& projection,
                             double metres) {
    constexpr double far = 1e6;  // m: no place that was meant is so far away
    if (!(metres > far)) return "";
    const double x = 0.5 * (mesh.low[0] + mesh.high[0]), y = 0.5 * (mesh.low[1] + mesh.high[1]);
    const bool looks_like_utm = x > 1e5 && x < 9e5 && y > 0.0 && y < 1e7;
    const std::string distance =
        fmt::format("; {:.0f} km away is another projection than the mesh's", 1e-3 * metres);
    if (!looks_like_utm)
        return distance +
               ", or degrees or metres in place of each other: the section [projection] is to be the mesh's";
    const std::string zone =
        projection && projection->meridian() ? fmt::format("{}", utm_zone(*projection->meridian())) : "ZONE";
    return distance + fmt::format(
                          ", whose places look like those of UTM: [projection] proj = \"+proj=utm +zone={} "
                          "+datum=WGS84\" (with +south below the equator)",
                          zone);
}

}  // namespace groundswell::quake
