// Which side of a fault is which: one answer for all of a connected fault, whatever its shape, or none.
#include "groundswell/mesh/tetra/fault_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::tetra {
namespace {

Point scaled(const Point& a, double times) {
    return {a[0] * times, a[1] * times, a[2] * times};
}
Point sum(const Point& a, const Point& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

struct Triangle {
    std::array<int, 3> vertex;  // seen anticlockwise from the front
    int sheet, tag;
};

// Triangles in space, each with a tetrahedron on its front and one on its back.
struct Surface {
    std::vector<Point> place;
    std::vector<Triangle> triangle;

    Point middle(const Triangle& t) const {
        return scaled(sum(sum(place[t.vertex[0]], place[t.vertex[1]]), place[t.vertex[2]]), 1.0 / 3.0);
    }
    Point front(const Triangle& t) const {  // twice the area, towards the front
        return cross(place[t.vertex[1]] - place[t.vertex[0]], place[t.vertex[2]] - place[t.vertex[0]]);
    }

    // The cells of a rank: of triangle t 2 t on its front and 2 t + 1 on its back, in an order and with vertices by the seed.
    Slab slab(MPI_Comm comm, const std::vector<int>& order) const {
        Slab slab;
        const auto cells = static_cast<std::int64_t>(order.size());
        slab.blocks = parallel::RowBlocks(cells, parallel::size_of(comm), parallel::rank_of(comm));
        slab.vertices = static_cast<std::int64_t>(place.size()) + cells;
        for (std::int64_t row = slab.blocks.begin(); row < slab.blocks.end(); ++row) {
            const int which = order[static_cast<std::size_t>(row)];
            const Triangle& t = triangle[static_cast<std::size_t>(which / 2)];
            const Point up = front(t);
            const double height = (which % 2 == 0 ? 0.5 : -0.5) / std::sqrt(std::sqrt(dot(up, up)));
            Tetrahedron cell;
            for (int i = 0; i < 3; ++i) {
                cell.vertex[i] = t.vertex[i];
                cell.place[i] = place[static_cast<std::size_t>(t.vertex[i])];
            }
            cell.vertex[3] = static_cast<std::int64_t>(place.size()) + which;
            cell.place[3] = sum(middle(t), scaled(up, height));
            cell.boundary[0] = static_cast<Boundary>(t.tag);  // opposite to the last corner
            sort_corners(cell);
            slab.cell.push_back(cell);
        }
        slab.group.assign(slab.cell.size(), 0);
        return slab;
    }
    std::vector<int> order(std::uint64_t seed) const {
        std::vector<int> all(2 * triangle.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
        std::ranges::shuffle(all, std::mt19937_64(seed));
        return all;
    }

    // [triangle] whether its front is the + side; on all ranks.
    std::vector<bool> plus_fronts(MPI_Comm comm, const PlusSide& side, std::uint64_t seed = 1) const {
        const auto in_order = order(seed);
        Slab cells = slab(comm, in_order);
        parallel::SparseExchange exchange(comm);
        mark_plus_sides(comm, exchange, cells, side);
        std::vector<int> fronts(triangle.size(), 0), backs(triangle.size(), 0);
        for (std::size_t c = 0; c < cells.cell.size(); ++c) {
            const int which = in_order[static_cast<std::size_t>(cells.blocks.begin()) + c];
            (which % 2 == 0 ? fronts : backs)[static_cast<std::size_t>(which / 2)] = cells.cell[c].is_plus(0);
        }
        const auto count = static_cast<int>(triangle.size());
        MPI_Allreduce(MPI_IN_PLACE, fronts.data(), count, MPI_INT, MPI_SUM, comm);
        MPI_Allreduce(MPI_IN_PLACE, backs.data(), count, MPI_INT, MPI_SUM, comm);
        for (std::size_t t = 0; t < triangle.size(); ++t) EXPECT_EQ(fronts[t] + backs[t], 1);
        return {fronts.begin(), fronts.end()};
    }
};

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// What the refusal says; nothing where there is none.
std::optional<std::string> refusal_of(const Surface& surface, const PlusSide& side, std::uint64_t seed,
                                      std::vector<bool>& fronts) {
    try {
        fronts = surface.plus_fronts(MPI_COMM_WORLD, side, seed);
    } catch (const std::exception& error) {
        return error.what();
    }
    return std::nullopt;
}

// A sheet of `long_way` × `down` quadrilaterals that begins in a row of vertices or makes one.
template <class Place>
std::vector<int> add_sheet(Surface& surface, int sheet, int tag, int long_way, int down, const Place& place,
                           const std::vector<int>& first = {}) {
    std::vector<int> vertex;
    for (int i = 0; i <= long_way; ++i) {
        for (int j = 0; j <= down; ++j) {
            if (i == 0 && !first.empty()) {
                vertex.push_back(first[static_cast<std::size_t>(j)]);
                continue;
            }
            vertex.push_back(static_cast<int>(surface.place.size()));
            surface.place.push_back(place(i, j));
        }
    }
    const auto at = [&](int i, int j) { return vertex[static_cast<std::size_t>(i * (down + 1) + j)]; };
    for (int i = 0; i < long_way; ++i) {
        for (int j = 0; j < down; ++j) {
            surface.triangle.push_back({{at(i, j), at(i + 1, j), at(i + 1, j + 1)}, sheet, tag});
            surface.triangle.push_back({{at(i, j), at(i + 1, j + 1), at(i, j + 1)}, sheet, tag});
        }
    }
    return vertex;
}

// A trace that bends, dipping, uneven; some with a branch of the same tag or another.
Surface random_fault(std::mt19937_64& generator) {
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(generator);
    };
    Surface surface;
    const double azimuth = between(0.0, 6.28), dip = between(0.35, std::numbers::pi - 0.35);
    const double bend = between(-0.25, 0.25), wave = between(0.0, 400.0), rough = between(0.0, 60.0);
    const auto along = [&](const Point& start, double direction, double turn) {
        return [&, start, direction, turn](int i, int j) {
            const double heading = direction + turn * i, x = 1000.0 * i, depth = 900.0 * j;
            const double off = depth / std::tan(dip) + wave * std::sin(0.9 * i + 0.4 * j);
            return Point{start[0] + x * std::cos(heading) - off * std::sin(heading) + between(-rough, rough),
                         start[1] + x * std::sin(heading) + off * std::cos(heading) + between(-rough, rough),
                         start[2] - depth};
        };
    };
    constexpr int long_way = 8, down = 4;
    const auto main = add_sheet(surface, 0, 3, long_way, down, along({}, azimuth, bend / long_way));
    if (between(0.0, 1.0) < 0.4) {
        std::vector<int> row;
        for (int j = 0; j <= down; ++j) row.push_back(main[static_cast<std::size_t>(4 * (down + 1) + j)]);
        // Of one tag the branch is to bend more than the fault that it leaves.
        const int tag = between(0.0, 1.0) < 0.5 ? 3 : 65;
        const double away = between(tag == 3 ? 0.8 : 0.4, 1.3) * (between(0.0, 1.0) < 0.5 ? -1.0 : 1.0);
        add_sheet(surface, 1, tag, 4, down,
                  along(surface.place[static_cast<std::size_t>(row[0])], azimuth + away, 0.0), row);
    }
    return surface;
}

// The size of the moment tensor of slip along strike or down dip of a sheet, in the frame that its + side gives.
double moment(const Surface& surface, const std::vector<bool>& fronts, int sheet, bool along_dip) {
    std::array<std::array<double, 3>, 3> m{};
    for (std::size_t t = 0; t < surface.triangle.size(); ++t) {
        if (surface.triangle[t].sheet != sheet) continue;
        // From the + to the − side: against the front, where that is the + side.
        const Point area = scaled(surface.front(surface.triangle[t]), fronts[t] ? -0.5 : 0.5);
        const double across = std::hypot(area[0], area[1]);
        Point slip{area[1] / across, -area[0] / across, 0.0};
        if (along_dip) {
            const Point n = scaled(area, 1.0 / std::sqrt(dot(area, area)));
            slip = {-slip[1] * n[2], slip[0] * n[2], slip[1] * n[0] - n[1] * slip[0]};
        }
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) m[i][j] += area[i] * slip[j] + area[j] * slip[i];
        }
    }
    double size = 0.0;
    for (const auto& row : m) size += dot(row, row);
    return std::sqrt(size);
}

TEST(FaultSides, OfTwoHundredRandomFaultsEachHasOneOrientationWhicheverPlaceIsGiven) {
    std::mt19937_64 generator(37);
    int decided = 0, refused = 0, near_decided = 0, near = 0;
    for (int fault = 0; fault < 200; ++fault) {
        const Surface surface = random_fault(generator);
        std::array<std::array<double, 2>, 2> expected{};
        for (int way = 0; way < 3; ++way) {
            const auto between = [&](double low, double high) {
                return std::uniform_real_distribution<double>(low, high)(generator);
            };
            const Triangle& t = surface.triangle[generator() % surface.triangle.size()];
            const bool at_front = generator() % 2 == 0, is_near = way < 2;
            PlusSide side{{between(-3e4, 3e4), between(-3e4, 3e4), between(-2e4, 2e4)},
                          way == 2 && fault % 2 == 0,
                          "case"};
            if (is_near)  // as high above a triangle as that is long
                side.given = sum(surface.middle(t),
                                 scaled(surface.front(t),
                                        (at_front ? 1.0 : -1.0) /
                                            std::sqrt(std::sqrt(dot(surface.front(t), surface.front(t))))));
            std::vector<bool> fronts;
            const auto refusal = refusal_of(surface, side, generator(), fronts);
            near += static_cast<int>(is_near);
            if (refusal) {
                ++refused;
                EXPECT_TRUE(says(*refusal, "the edge from") || says(*refusal, "in the plane") ||
                            says(*refusal, "along one"))
                    << *refusal;
                continue;
            }
            ++decided;
            near_decided += static_cast<int>(is_near);
            for (int sheet = 0; sheet < 2; ++sheet) {
                std::optional<bool> front;
                for (std::size_t i = 0; i < fronts.size(); ++i) {
                    if (surface.triangle[i].sheet != sheet) continue;
                    if (!front) front = fronts[i];
                    ASSERT_EQ(*front, fronts[i]) << "fault " << fault << " turns over at triangle " << i;
                    if (is_near && t.sheet == sheet) {
                        ASSERT_EQ(*front, at_front) << "fault " << fault;
                    }
                }
                for (const bool dip : {false, true}) {
                    double& before = expected[static_cast<std::size_t>(sheet)][dip];
                    const double now = moment(surface, fronts, sheet, dip);
                    if (before > 0.0) {
                        EXPECT_NEAR(now / before, 1.0, 1e-9);
                    }
                    before = now;
                }
            }
        }
    }
    EXPECT_GT(decided, 300) << refused;
    EXPECT_GT(near_decided, near * 9 / 10);
}

Surface plane(int tag = 3) {
    Surface surface;
    add_sheet(surface, 0, tag, 6, 4, [](int i, int j) { return Point{1e3 * i, 0.0, -1e3 * j}; });
    return surface;
}

TEST(FaultSides, APlaneIsDecidedFromAnyPlaceButItsOwnPlane) {
    const Surface surface = plane();  // whose front looks towards +y: along × down
    for (const double y : {-1e9, -1e5, -1.0, 1.0, 1e5, 1e9}) {
        for (const double x : {-1e4, 2.5e3, 3e3}) {
            const bool front = dot(surface.front(surface.triangle[0]), {0.0, y, 0.0}) > 0.0;
            for (const bool is_front : surface.plus_fronts(MPI_COMM_WORLD, {{x, y, -500.0}, false, "case"}))
                EXPECT_EQ(is_front, front) << x << ' ' << y;
            // A direction leads from the + side to the − side.
            for (const bool is_front : surface.plus_fronts(MPI_COMM_WORLD, {{x, y, 0.0}, true, "case"}))
                EXPECT_EQ(is_front, !front) << x << ' ' << y;
        }
    }
    for (const Point within : {Point{0.0, 0.0, 0.0}, Point{2.3e3, 0.0, -1.7e3}, Point{9e4, 0.0, 3e3}})
        EXPECT_THROW(surface.plus_fronts(MPI_COMM_WORLD, {within, false, "case"}), base::Refusal);
    EXPECT_THROW(surface.plus_fronts(MPI_COMM_WORLD, {{1.0, 0.0, -3.0}, true, "case"}), base::Refusal);
}

TEST(FaultSides, TheSidesDoNotDependOnRanks) {
    std::mt19937_64 generator(5);
    for (int i = 0; i < 10; ++i) {
        const Surface surface = random_fault(generator);
        const PlusSide side{{2e3, -1e3 + 5.0 * i, 1e4}, false, "case"};
        std::vector<bool> here;
        const auto refusal = refusal_of(surface, side, 3, here);
        std::string alone;
        try {
            EXPECT_EQ(surface.plus_fronts(MPI_COMM_SELF, side, 3), here);
        } catch (const std::exception& error) {
            alone = error.what();
        }
        EXPECT_EQ(refusal.value_or(""), alone);
    }
}

// A band that goes once round, with a half turn or none on the way.
Surface band(double turns) {
    Surface surface;
    constexpr int round = 24, across = 2;
    const auto place = [&](int i, int j) {
        const double angle = 2.0 * std::numbers::pi * i / round, twist = turns * angle,
                     off = 1000.0 * (j - 0.5 * across);
        const double radius = 6000.0 + off * std::sin(twist);
        return Point{radius * std::cos(angle), radius * std::sin(angle), off * std::cos(twist)};
    };
    const auto vertex = add_sheet(surface, 0, 3, round, across, place);
    // Its end is its beginning.
    for (Triangle& t : surface.triangle) {
        for (int& v : t.vertex) {
            const auto at = std::ranges::find(vertex, v) - vertex.begin();
            const auto i = at / (across + 1), j = at % (across + 1);
            if (i == round) v = vertex[static_cast<std::size_t>(turns == 0.0 ? j : across - j)];
        }
    }
    return surface;
}

TEST(FaultSides, AFaultThatClosesHasAnInsideAndNoOtherSideSeenFromOutside) {
    std::vector<bool> fronts;
    EXPECT_FALSE(refusal_of(band(0.0), {{10.0, 20.0, 30.0}, false, "case"}, 1, fronts).has_value());
    EXPECT_EQ(std::ranges::count(fronts, fronts[0]), std::ssize(fronts));
    const auto refusal = refusal_of(band(0.0), {{1e5, 20.0, 30.0}, false, "case.toml:7"}, 1, fronts);
    ASSERT_TRUE(refusal.has_value());
    EXPECT_TRUE(refusal->starts_with("case.toml:7: fault.plus_side = [100000, 20, 30]: expected"))
        << *refusal;
    EXPECT_TRUE(says(*refusal, "its normal turns over at the edge from")) << *refusal;
}

TEST(FaultSides, ABandWithOneSideOnlyIsRefusedWhereItTurnsOver) {
    std::vector<bool> fronts;
    for (const Point from : {Point{10.0, 20.0, 30.0}, Point{6000.0, 0.0, 50.0}, Point{1e5, 2e4, 3e4}}) {
        const auto refusal = refusal_of(band(0.5), {from, false, "case"}, 1, fronts);
        ASSERT_TRUE(refusal.has_value());
        EXPECT_TRUE(says(*refusal, "only one")) << *refusal;
    }
}

// A branch that leaves the fault of `plane` at x = 3000, over its whole height, at 60 degrees.
void add_branch(Surface& surface, int tag) {
    std::vector<int> row;
    for (int j = 0; j <= 4; ++j) row.push_back(3 * 5 + j);
    add_sheet(
        surface, 1, tag, 4, 4,
        [](int i, int j) {
            return Point{3e3 + 500.0 * i, 866.0 * i, -1e3 * j};
        },
        row);
}

TEST(FaultSides, OverABranchTheStraightOnesOrThoseOfATagGoOn) {
    // Seen from y > 0 far behind the branch's start.
    for (const int tag : {3, 65}) {
        Surface surface = plane();
        add_branch(surface, tag);
        const auto fronts = surface.plus_fronts(MPI_COMM_WORLD, {{-2e3, 9e3, -2e3}, false, "case"});
        for (std::size_t t = 0; t < fronts.size(); ++t) EXPECT_TRUE(fronts[t]) << t;
        // And from between the two.
        const auto within = surface.plus_fronts(MPI_COMM_WORLD, {{6e3, 1.5e3, -2e3}, false, "case"});
        for (std::size_t t = 0; t < within.size(); ++t)
            EXPECT_EQ(within[t], surface.triangle[t].sheet == 0) << t;
    }
}

// The lines that this rank tells meanwhile.
template <class Action>
std::vector<std::string> told(const Action& action) {
    std::vector<std::string> lines;
    base::set_message_level(base::MessageLevel::info);
    base::set_message_handler([&](base::MessageLevel, std::string_view text) { lines.emplace_back(text); });
    action();
    base::set_message_handler({});
    base::set_message_level(base::MessageLevel::warning);
    return lines;
}

TEST(FaultSides, WhereADecidedFaultBranchesIsTold) {
    // At each of four edges faces of the branch meet two of the main fault.
    for (const int tag : {3, 65}) {
        Surface surface = plane();
        const auto mark = [&] { surface.plus_fronts(MPI_COMM_WORLD, {{-2e3, 9e3, -2e3}, false, "case"}); };
        EXPECT_TRUE(told(mark).empty());
        add_branch(surface, tag);
        const auto lines = told(mark);
        if (parallel::rank_of(MPI_COMM_WORLD) != 0) {
            EXPECT_TRUE(lines.empty());
            continue;
        }
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_TRUE(says(lines[0], "4 edges at which they branch")) << lines[0];
        EXPECT_TRUE(says(lines[0], "that from 3000, 0, 0 to 3000, 0, -1000 m 3 faces meet")) << lines[0];
    }
}

}  // namespace
}  // namespace groundswell::tetra
