#include "groundswell/mesh/tetra/fault_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/tetra/fault_edges.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::tetra {

namespace {

// What is seen of a fault's one side, less what is seen of its other, as a share of both: three quarters against one.
constexpr double clear_share = 0.5;
// The sine of the angle at which a fault counts as seen from within its plane.
constexpr double in_plane = 1e-6;

// How much of a face is seen, by its front as its cell has it, which is inside, or, negative, by its back; and how much it would be
// if it stood square to the line of sight.
struct Sight {
    double seen = 0.0, square = 0.0;
};

Sight look_at(const FaceSide& face, const PlusSide& side) {
    if (side.is_direction)
        return {face.area * dot(face.outward, side.given) / std::sqrt(dot(side.given, side.given)),
                face.area};
    const Point to = face.place[0] - side.given;
    const double distance = std::max(dot(to, to), face.area);
    return {std::copysign(std::abs(solid_angle(face.place, side.given)), dot(face.outward, to)),
            face.area / distance};
}

// What is seen of connected sides of faces, which are named by the lowest row among them.
struct View {
    std::int64_t name = 0;
    double seen = 0.0, both = 0.0, square = 0.0;

    bool is_in_plane() const { return !(both > in_plane * square); }
    bool is_clear() const { return !is_in_plane() && std::abs(seen) >= clear_share * both; }
};

std::vector<std::int64_t> all_names(MPI_Comm comm, const parallel::RowBlocks& rows,
                                    std::span<const std::int64_t> name_of_row) {
    std::vector<std::int64_t> mine;
    for (std::size_t i = 0; i < name_of_row.size(); ++i) {
        if (name_of_row[i] == rows.begin() + static_cast<std::int64_t>(i)) mine.push_back(name_of_row[i]);
    }
    return parallel::gather_rows<std::int64_t>(comm, mine, true).values;
}

// `sights` and `names` by face of this rank, `all` the names of all ranks, ascending.
std::vector<View> views_of(MPI_Comm comm, std::span<const Sight> sights, std::span<const std::int64_t> names,
                           std::span<const std::int64_t> all) {
    std::vector<parallel::ExactSum> sums(3 * all.size());
    for (std::size_t i = 0; i < sights.size(); ++i) {
        auto* const sum = sums.data() + 3 * (std::ranges::lower_bound(all, names[i]) - all.begin());
        sum[0].add(sights[i].seen);
        sum[1].add(std::abs(sights[i].seen));
        sum[2].add(sights[i].square);
    }
    const std::vector<double> together = parallel::sum(comm, sums);
    std::vector<View> views;
    for (std::size_t n = 0; n < all.size(); ++n)
        views.push_back({all[n], together[3 * n], together[3 * n + 1], together[3 * n + 2]});
    return views;
}

std::string text_of(const Point& place) {
    constexpr double no_minus = 0.0;  // before a zero
    return fmt::format("{:.6g}, {:.6g}, {:.6g}", place[0] + no_minus, place[1] + no_minus,
                       place[2] + no_minus);
}

// Refuses a fault whose faces turn now one side, now the other to the place. The message names the first edge, by its vertices, at
// which they do. `names`: of meetings' sides.
[[noreturn]] void refuse_turning(MPI_Comm comm, const std::string& stated_at, const std::string& key,
                                 const std::string& value, std::span<const Meeting> meetings,
                                 const std::vector<std::array<std::int64_t, 2>>& names,
                                 std::span<const View> views) {
    const Meeting* first = nullptr;
    bool one_sided = false;
    for (std::size_t i = 0; i < meetings.size(); ++i) {
        const Meeting& meeting = meetings[i];
        const auto [one, other] = meeting.seen;
        if (one * other > 0.0 || one == other) continue;
        const auto view = std::ranges::lower_bound(views, names[i][0], {}, &View::name);
        if (view->is_clear() || (first && first->edge <= meeting.edge)) continue;
        first = &meeting;
        one_sided = names[i][0] == names[i][1];
    }
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    const std::int64_t begin = parallel::min(comm, first ? first->edge[0] : none);
    const std::int64_t end = parallel::min(comm, first && first->edge[0] == begin ? first->edge[1] : none);
    parallel::agree(comm, [&] {
        if (!first || first->edge != std::array{begin, end}) return;
        const std::string edge =
            fmt::format("the edge from {} to {} m", text_of(first->place[0]), text_of(first->place[1]));
        base::require(
            !one_sided, stated_at, key, value,
            fmt::format("a fault with two sides: round {} it closes to a band that has only one", edge));
        base::refuse(
            stated_at, key, value,
            fmt::format(
                "what lies clearly on one side of the whole fault: its normal turns over at {}, as seen "
                "from there",
                edge));
    });
    base::refuse(stated_at, key, value, "what lies clearly on one side of each fault");
}

// Where a fault branches, sides go on by a rule, which people are to know of: one line, of the first edge by its vertices.
void tell_branchings(MPI_Comm comm, std::span<const Branching> mine) {
    const auto edges = parallel::sum(comm, static_cast<std::int64_t>(mine.size()));
    const auto firsts =
        parallel::gather_rows<Branching>(comm, mine.first(std::min<std::size_t>(mine.size(), 1)));
    if (firsts.values.empty()) return;  // none, or not the rank that speaks
    const Branching& first = *std::ranges::min_element(firsts.values, {}, &Branching::edge);
    base::log_info(
        "faults: {} edge{} at which they branch or cross; at that from {} to {} m {} faces meet. Sides go on "
        "from one to another of the same tag, or to what is most nearly straight; of the rest each is a "
        "fault with sides of its own",
        edges, edges == 1 ? "" : "s", text_of(first.place[0]), text_of(first.place[1]), first.faces);
}

}  // namespace

double solid_angle(const std::array<Point, 3>& corner, const Point& from) {
    const Point a = corner[0] - from, b = corner[1] - from, c = corner[2] - from;
    const Point across = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    const double volume = dot(a, across);
    // A place in the plane, but for rounding, may lie on the triangle.
    if (std::abs(volume) <= 1e-12 * std::max({la, lb, lc}) * std::sqrt(dot(across, across))) return 0.0;
    return 2.0 * std::atan2(-volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

void mark_plus_sides(MPI_Comm comm, parallel::SparseExchange& exchange, Slab& slab, const PlusSide& side) {
    std::vector<FaceSide> faces = sides_of_faults(comm, slab);
    const parallel::RowBlocks rows(parallel::sum(comm, static_cast<std::int64_t>(faces.size())),
                                   parallel::size_of(comm), parallel::rank_of(comm));
    if (rows.rows == 0) return;
    std::vector<Sight> sights;
    std::vector<std::int64_t> mine;
    for (FaceSide& face : faces) {
        sights.push_back(look_at(face, side));
        face.seen = sights.back().seen;
        mine.push_back(face.row);
    }
    const auto [meetings, branchings] = edges_of(comm, exchange, slab, faces);
    const auto name_of_row = connected_sides(comm, exchange, rows, meetings);
    const auto names_of = [&](std::span<const std::int64_t> ascending) {
        return parallel::ask_owners<std::int64_t, std::int64_t>(
            exchange, rows, ascending, [&](std::int64_t row) { return name_of_row[row - rows.begin()]; });
    };
    const auto names = names_of(mine);
    const auto views = views_of(comm, sights, names, all_names(comm, rows, name_of_row));

    const std::string key = side.is_direction ? "fault.normal" : "fault.plus_side";
    const std::string value = fmt::format("[{}]", text_of(side.given));
    base::require(std::ranges::none_of(views, &View::is_in_plane), side.stated_at, key, value,
                  side.is_direction ? "a direction across each fault, not along one"
                                    : "a place on one side of each fault, not in the plane of one");
    if (!std::ranges::all_of(views, &View::is_clear)) {
        std::vector<std::int64_t> asked;
        for (const Meeting& meeting : meetings)
            asked.insert(asked.end(), {meeting.side[0][0], meeting.side[1][0]});
        base::make_unique(asked);
        const auto answers = names_of(asked);
        const auto name = [&](std::int64_t row) {
            return answers[static_cast<std::size_t>(std::ranges::lower_bound(asked, row) - asked.begin())];
        };
        std::vector<std::array<std::int64_t, 2>> of_meetings;
        for (const Meeting& meeting : meetings)
            of_meetings.push_back({name(meeting.side[0][0]), name(meeting.side[1][0])});
        refuse_turning(comm, side.stated_at, key, value, meetings, of_meetings, views);
    }
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const auto view = std::ranges::lower_bound(views, names[i], {}, &View::name);
        if (view->seen > 0.0)
            slab.cell[static_cast<std::size_t>(faces[i].cell - slab.blocks.begin())].set_plus(faces[i].face);
    }
    tell_branchings(comm, branchings);
}

}  // namespace groundswell::tetra
