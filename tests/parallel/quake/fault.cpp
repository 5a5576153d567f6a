// Faults: strong ones are not there, weak ones slip as the theory of a plane says, and the bits are those of one rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

using Corners = std::array<tetra::Point, 3>;

Material two_rocks(const tetra::Point& at) {
    return at[1] < 450.0 ? Material{2700.0, 3.24e10, 3.24e10} : Material{2000.0, 2.0e9, 1.0e9};
}

bool in_plane(const Corners& corner) {
    return corner[0][1] == 450.0 && corner[1][1] == 450.0 && corner[2][1] == 450.0;
}

// A third of all faces.
bool anywhere(const Corners& corner) {
    double sum = 0.0;
    for (const auto& place : corner) sum += std::abs(place[0]) + std::abs(place[1]) + std::abs(place[2]);
    return std::fmod(sum, 3.0) < 1.0;
}

FieldOfBox box_of_rock() {
    FieldOfBox wanted;
    wanted.box.cubes = {6, 6, 4};
    wanted.box.length = {1000.0, 900.0, 800.0};
    wanted.material = two_rocks;
    return wanted;
}

// Uniform stress on a fault that the + side of is where y is larger, with friction that slip does not change.
FaultInput uniform_fault(double friction, double cohesion) {
    FaultInput input;
    input.law = "linear-slip-weakening";
    input.of_fault = {0.0, 0.0};
    input.at = [=](const FaultSpot&) {
        return FaultPoint{{-120e6, 70e6, 10e6}, {}, {friction, friction, 0.4, cohesion, 1e30}};
    };
    return input;
}

template <class Real>
void fill_at_random(MadeField<Real>& made, int order) {
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        std::mt19937_64 generator(static_cast<std::uint64_t>(made.mesh.row[cell]));
        std::uniform_real_distribution<double> between(-1.0, 1.0);
        for (int k = 0; k < basis_size(order); ++k) {
            for (int q = 0; q < 9; ++q)
                made.field->coefficient(cell, k, q) =
                    static_cast<Real>(between(generator) * (q < 6 ? 1e7 : 1.0));
        }
    }
}

template <class Real>
std::map<std::int64_t, std::vector<Real>> after(MPI_Comm comm, const FieldOfBox& wanted, int meetings) {
    auto made = make_field<Real>(comm, wanted);
    fill_at_random(made, wanted.order);
    for (int i = 0; i < meetings; ++i) made.field->advance();
    std::map<std::int64_t, std::vector<Real>> all;
    for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
        auto& values = all[made.mesh.row[cell]];
        for (int k = 0; k < basis_size(wanted.order); ++k) {
            for (int q = 0; q < 9; ++q) values.push_back(made.field->coefficient(cell, k, q));
        }
    }
    return all;
}

void expect_strong_one_not_there(FacePoints points) {
    FaultInput strong = uniform_fault(0.6, 1e30);
    strong.points = points;
    for (const int order : {2, 3, 4, 5, 6, 7}) {
        FieldOfBox wanted = box_of_rock();
        if (order > 4) wanted.box.cubes = {4, 2, 2};
        wanted.box.jitter = 0.1;
        wanted.order = order;
        wanted.rate = 1;
        const auto without = after<double>(MPI_COMM_WORLD, wanted, 12);
        wanted.at_fault = anywhere;
        wanted.fault = &strong;
        const auto with = after<double>(MPI_COMM_WORLD, wanted, 12);
        double difference[2] = {}, size[2] = {};
        for (const auto& [row, values] : with) {
            const auto& others = without.at(row);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const bool velocity = i % 9 >= 6;
                difference[velocity] = std::max(difference[velocity], std::abs(values[i] - others[i]));
                size[velocity] = std::max(size[velocity], std::abs(others[i]));
            }
        }
        EXPECT_LT(difference[0], 1e-12 * size[0]) << order;
        EXPECT_LT(difference[1], 1e-12 * size[1]) << order;
    }
}

TEST(QuakeFault, AStrongOneIsNotThere) {
    expect_strong_one_not_there(FacePoints::symmetric);
    // Whose faces are turned to where their points crowd.
    expect_strong_one_not_there(FacePoints::conical);
}

FieldOfBox slipping_plane(int order, int rate, const FaultInput& fault) {
    FieldOfBox wanted = box_of_rock();
    wanted.box.cubes = {4, 4, 4};
    wanted.box.periodic = {true, false, true};
    wanted.order = order;
    wanted.rate = rate;
    wanted.at_fault = in_plane;
    wanted.fault = &fault;
    return wanted;
}

double eta_of_plane() {
    return 1.0 / (1.0 / two_rocks({0.0, 0.0, 0.0}).zs() + 1.0 / two_rocks({0.0, 900.0, 0.0}).zs());
}

// body(value of a state) at each point of each face.
template <class Body>
void for_each_point(const Fault& fault, const Body& body) {
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        for (int p = 0; p < fault.rule().points(); ++p)
            body([&](int which) { return fault.state(static_cast<int>(f), which, p); });
    }
}

// Waves run away from a plane that slips everywhere: the slip rate is the stress drop over the impedance.
TEST(QuakeFault, AWeakPlaneSlipsAsItsImpedanceSays) {
    const FaultInput weak = uniform_fault(0.525, 0.0);
    const double shear = std::hypot(70e6, 10e6), expected = (shear - 0.525 * 120e6) / eta_of_plane();
    for (const int order : {2, 3, 4, 5, 6, 7}) {
        auto made = make_field<double>(MPI_COMM_WORLD, slipping_plane(order, 1, weak));
        made.field->tick();
        const auto& fault = *made.field->fault();
        for_each_point(fault, [&](const auto& state) {
            ASSERT_NEAR(state(rate_strike), expected * 70e6 / shear, 1e-12 * expected) << order;
            ASSERT_NEAR(state(rate_dip), expected * 10e6 / shear, 1e-12 * expected);
            ASSERT_NEAR(state(slip_path), expected * made.field->time(), 1e-12);
            ASSERT_NEAR(state(friction_work), 0.525 * 120e6 * state(slip_path), 1e-6);
            ASSERT_EQ(state(rupture_time), 0.0);
        });
        const auto mine = std::ranges::count_if(fault.places(), &FaultPlace::mine);
        EXPECT_EQ(parallel::sum(MPI_COMM_WORLD, static_cast<std::int64_t>(mine)), 2 * 4 * 4);
        // The − side, of lower y, goes along the strike, which is −x where the normal is −y, and the other one back; each by
        // the share that its impedance leaves it.
        for (int i = 0; i < 4; ++i) made.field->tick();
        for (std::int32_t cell = 0; cell < made.mesh.owned; ++cell) {
            for (int f = 0; f < 4; ++f) {
                if (!tetra::is_fault(made.mesh.cell[cell].boundary[f])) continue;
                const bool minus = centre_of(made.mesh.cell[cell])[1] < 450.0;
                EXPECT_EQ(made.field->coefficient(cell, 0, 6) < 0.0, minus);
            }
        }
    }
}

// The same with stress that grows smoothly: the slip rate is what it exceeds the strength by, at any time and in clusters.
TEST(QuakeFault, APlaneUnderGrowingStressFollowsIt) {
    FaultInput growing = uniform_fault(0.5, 0.0);
    growing.nucleation = {{0.0, 2.0}};
    growing.at = [](const FaultSpot&) {
        return FaultPoint{{-120e6, 60e6, 0.0}, {{{{0.0, 10e6, 0.0}}}}, {0.5, 0.5, 0.4, 0.0, 1e30}};
    };
    double before = 1.0;
    for (const int order : {3, 5}) {
        double worst = 0.0;
        for (const int rate : {1, 2}) {
            FieldOfBox wanted = slipping_plane(order, rate, growing);
            wanted.seconds = 0.4;
            auto made = make_field<double>(MPI_COMM_WORLD, wanted);
            while (made.field->time() < 0.399) made.field->advance();
            const auto& fault = *made.field->fault();
            // The rate is of the last time in the step, the stress of its end.
            const double expected = 10e6 * smooth_step(made.field->time(), 2.0) / eta_of_plane();
            for_each_point(fault, [&](const auto& state) {
                worst = std::max(worst, std::abs(state(rate_strike) / expected - 1.0));
            });
        }
        worst = parallel::max(MPI_COMM_WORLD, worst);
        EXPECT_LT(worst, before) << order;
        before = worst;
    }
    EXPECT_LT(before, 2e-3);
}

// Two episodes: one adds stress; the other, which begins later and later still at these places, takes strength away.
TEST(QuakeFault, APlaneIsPulledAndLoosenedInItsEpisodes) {
    FaultInput input = uniform_fault(0.5, 0.0);
    input.nucleation = {{0.0, 1.0}, {0.1, 1.2, true, true}};
    input.at = [](const FaultSpot&) {
        return FaultPoint{{-120e6, 60e6, 0.0},
                          {{{{0.0, 5e6, 0.0}}, {{0.0, 0.0, 0.0}, 0.2, 0.05}}},
                          {0.5, 0.5, 0.4, 0.0, 1e30}};
    };
    FieldOfBox wanted = slipping_plane(5, 2, input);
    wanted.seconds = 0.4;
    auto made = make_field<double>(MPI_COMM_WORLD, wanted);
    while (made.field->time() < 0.399) made.field->advance();
    const double time = made.field->time(), loosened = smooth_step(time - 0.15, 1.2);
    EXPECT_GT(loosened, 0.1);
    EXPECT_LT(loosened, 0.9);
    const double expected = (5e6 * smooth_step(time, 1.0) + 0.5 * 120e6 * 0.2 * loosened) / eta_of_plane();
    const auto& fault = *made.field->fault();
    for_each_point(fault,
                   [&](const auto& state) { EXPECT_NEAR(state(rate_strike), expected, 0.02 * expected); });
    EXPECT_NEAR(fault.places().empty() ? 1.0 - 0.2 * loosened : fault.felt(0, 0, time), 1.0 - 0.2 * loosened,
                1e-12);
}

// A rupture that begins in the middle of a plane and runs along it and down, and its mirror image in x: slips by place.
double asymmetry(int order, FacePoints points) {
    constexpr double width = 1000.0;
    FaultInput breaking = uniform_fault(0.0, 0.0);
    breaking.points = points;
    breaking.at = [](const FaultSpot& spot) {
        const tetra::Point& at = spot.place;
        const bool inside = std::abs(at[0] - 0.5 * width) < 160.0 && std::abs(at[2] - 400.0) < 150.0;
        return FaultPoint{{-120e6, 0.0, inside ? 81.6e6 : 74e6}, {}, {0.677, 0.525, 0.01, 0.0, 1e30}};
    };
    FieldOfBox wanted = box_of_rock();
    wanted.box.cubes = {8, 4, 6};
    wanted.order = order;
    wanted.at_fault = in_plane;
    wanted.fault = &breaking;
    const auto made = make_field<double>(MPI_COMM_SELF, wanted);
    while (made.field->time() < 0.08) made.field->advance();
    const Fault& fault = *made.field->fault();
    std::map<std::array<long, 2>, std::array<double, 2>> slips;  // along x and z, by place in mm
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const auto& corner = fault.places()[f].corner;
        const auto& frame = fault.places()[f].frame;
        for (int p = 0; p < fault.rule().points(); ++p) {
            const auto [chi, tau] = fault.rule().place.point[p];
            std::array<double, 3> at{};
            for (int i = 0; i < 3; ++i)
                at[i] = corner[0][i] * (1.0 - chi - tau) + corner[1][i] * chi + corner[2][i] * tau;
            const auto face = static_cast<std::int32_t>(f);
            slips[{std::lround(1e3 * at[0]), std::lround(1e3 * at[2])}] = {
                fault.state(face, slip_strike, p) * frame.strike[0], fault.state(face, slip_dip, p)};
        }
    }
    double largest = 0.0, difference = 0.0;
    std::size_t broken = 0;
    for (const auto& [place, slip] : slips) {
        largest = std::max(largest, std::abs(slip[1]));
        broken += std::abs(slip[1]) > 0.01 ? 1 : 0;
        const auto image = slips.find({std::lround(1e3 * width) - place[0], place[1]});
        if (image == slips.end()) return std::numeric_limits<double>::infinity();
        difference = std::max(
            {difference, std::abs(slip[1] - image->second[1]), std::abs(slip[0] + image->second[0])});
    }
    // It has left the patch, of a ninth of the plane.
    EXPECT_GT(largest, 0.02);
    EXPECT_GT(static_cast<double>(broken), 0.2 * static_cast<double>(slips.size()));
    return difference / largest;
}

TEST(QuakeFault, WhatIsSymmetricStaysSo) {
    for (const int order : {3, 4, 5}) EXPECT_LT(asymmetry(order, FacePoints::symmetric), 1e-9) << order;
    // For that is what these places are for.
    EXPECT_GT(asymmetry(4, FacePoints::conical), 1e-3);
}

// Places of all points of a fault, mm, on a mesh whose vertices are numbered from either end.
std::set<std::array<long, 3>> places_of_points(FacePoints points, bool from_the_end) {
    FaultInput fault = uniform_fault(0.5, 0.0);
    fault.points = points;
    FieldOfBox wanted = box_of_rock();
    wanted.box.jitter = 0.1;
    wanted.at_fault = anywhere;
    wanted.fault = &fault;
    wanted.mesh = [&](MPI_Comm comm) {
        tetra::Slab slab = tetra::slab_of(comm, tetra::Box(wanted.box));
        for (tetra::Tetrahedron& cell : slab.cell) {
            for (std::int64_t& vertex : cell.vertex)
                vertex = from_the_end ? slab.vertices - 1 - vertex : vertex;
            sort_corners(cell);
        }
        return slab;
    };
    const auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const Fault& all = *made.field->fault();
    std::set<std::array<long, 3>> places;
    for (const FaultPlace& place : all.places()) {
        for (const auto& [chi, tau] : all.rule().place.point) {
            std::array<long, 3> at{};
            for (int i = 0; i < 3; ++i)
                at[i] = std::lround(1e3 * (place.corner[0][i] * (1.0 - chi - tau) + place.corner[1][i] * chi +
                                           place.corner[2][i] * tau));
            places.insert(at);
        }
    }
    return places;
}

TEST(QuakeFault, PointsStandWhereTheFileOfTheMeshSays) {
    for (const FacePoints points : {FacePoints::symmetric, FacePoints::conical})
        EXPECT_EQ(places_of_points(points, false), places_of_points(points, true));
    // Corners in the file; by the one that a face does not have, that to which its points crowd.
    tetra::Tetrahedron cell;
    cell.vertex = {7, 3, 9, 1};
    sort_corners(cell);
    const std::map<std::int64_t, std::int64_t> crowded{{7, 9}, {3, 1}, {9, 3}, {1, 9}};
    for (int face = 0; face < 4; ++face) {
        const int corner = tetra::face_corners[face][crowded_corner(cell, face)];
        EXPECT_EQ(cell.vertex[corner], crowded.at(cell.vertex[3 - face]));
        EXPECT_EQ(cell.vertex[tetra::face_corners[face][first_corner(cell, face)]], face == 1 ? 3 : 7);
    }
}

TEST(QuakeFault, HasTheBitsOfOneRankAndOneThread) {
    const FaultInput weak = uniform_fault(0.5, 1e5);
    for (const int rate : {1, 2, 3}) {
        FieldOfBox wanted = box_of_rock();
        wanted.rate = rate;
        wanted.box.jitter = 0.1;
        wanted.at_fault = anywhere;
        wanted.fault = &weak;
        const int before = exec::threads();
        const auto all = after<double>(MPI_COMM_WORLD, wanted, 3);
        exec::set_threads(1);
        const auto alone = after<double>(MPI_COMM_SELF, wanted, 3);
        exec::set_threads(before);
        for (const auto& [row, values] : all) ASSERT_EQ(values, alone.at(row)) << row;
    }
}

}  // namespace
