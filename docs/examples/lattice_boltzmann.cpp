// Flow in a periodic box by the lattice Boltzmann method (D2Q9): a structured grid that needs its corners.
//
//   mpirun -n 4 lattice_boltzmann [TRANSPORT...]      without names: every one there is
//
// Nine populations a cell move to the nine cells around it, so a block of the grid needs a frame of halo
// cells, corners included. To the halo a corner is one more id: no second round of messages, no special case.
// Method and decay of the Taylor-Green vortex: T. Krüger et al., The Lattice Boltzmann Method, 2017,
// doi:10.1007/978-3-319-44649-3, section A.3. The program checks the decay, and that every bit is what
// one rank alone computes; exit code 1 if not.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"

namespace halo = groundswell::halo;

constexpr int size = 48, steps = 150;                 // cells a side
constexpr double speed = 0.02, relaxation = 0.8;      // lattice units
constexpr double viscosity = (relaxation - 0.5) / 3;  // Krüger et al., equation 3.5
constexpr double wave = 2 * std::numbers::pi / size;
constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

using Velocity = std::array<double, 2>;

Velocity taylor_green(int x, int y, double time) {
    const double now = speed * std::exp(-2 * viscosity * wave * wave * time);
    return {-now * std::cos(wave * x) * std::sin(wave * y), now * std::sin(wave * x) * std::cos(wave * y)};
}

double equilibrium(int q, double density, Velocity u) {
    const double along = cx[q] * u[0] + cy[q] * u[1];
    return weight[q] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (u[0] * u[0] + u[1] * u[1]));
}

std::pair<double, Velocity> moments(std::span<const double> f) {
    double density = 0.0;
    Velocity momentum{};
    for (int q = 0; q < 9; ++q) {
        density += f[q];
        momentum[0] += cx[q] * f[q];
        momentum[1] += cy[q] * f[q];
    }
    return {density, {momentum[0] / density, momentum[1] / density}};
}

// Runs the model on the ranks of `comm`; returns the velocity at the end by the id of the cell.
std::map<std::int64_t, Velocity> run(MPI_Comm comm, std::string_view transport_name) {
    int ranks = 1, rank = 0, blocks[2] = {0, 0};
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    MPI_Dims_create(ranks, 2, blocks);
    const int column = rank % blocks[0], row = rank / blocks[0];
    const int left = size * column / blocks[0], right = size * (column + 1) / blocks[0];
    const int low = size * row / blocks[1], high = size * (row + 1) / blocks[1];

    // 1. Ids by arithmetic: those of the block are owned, those of the frame around it are needed. Where a
    // block
    //    is as wide as the box, its frame holds ids that it owns itself: that is allowed.
    const auto id = [](int x, int y) { return std::int64_t{(y + size) % size} * size + (x + size) % size; };
    std::vector<std::int64_t> owned, needed;
    std::vector<std::int32_t> local;  // index of each cell of block and frame: owned first, then needed
    std::vector<std::pair<int, int>> interior, rim;
    for (int y = low - 1; y <= high; ++y) {
        for (int x = left - 1; x <= right; ++x) {
            const bool mine = x >= left && x < right && y >= low && y < high;
            local.push_back(mine ? std::ssize(owned) : (right - left) * (high - low) + std::ssize(needed));
            (mine ? owned : needed).push_back(id(x, y));
            const bool at_rim = x == left || x == right - 1 || y == low || y == high - 1;
            if (mine) (at_rim ? rim : interior).emplace_back(x, y);
        }
    }
    const auto at = [&](int x, int y) { return local[(y - low + 1) * (right - left + 2) + x - left + 1]; };

    // 2. Who sends what to whom; nine values an id; a way to exchange them.
    const auto plan = std::make_shared<const halo::Plan>(comm, owned, needed);
    halo::Field<double> even(*plan, 9), odd(*plan, 9);
    const auto transport = halo::make_transport(transport_name, plan, even.channel());

    // 3. A step: populations arrive from the cells around, and relax to their equilibrium.
    halo::Field<double>*now = &even, *next = &odd;
    const auto update = [&](const std::vector<std::pair<int, int>>& cells) {
        for (const auto& [x, y] : cells) {
            std::array<double, 9> f;
            for (int q = 0; q < 9; ++q) f[q] = (*now)[at(x - cx[q], y - cy[q])][q];
            const auto [density, u] = moments(f);
            for (int q = 0; q < 9; ++q) {
                (*next)[at(x, y)][q] = f[q] + (equilibrium(q, density, u) - f[q]) / relaxation;
            }
        }
    };
    for (int y = low; y < high; ++y) {
        for (int x = left; x < right; ++x) {
            const double pressure = std::cos(2 * wave * x) + std::cos(2 * wave * y);
            for (int q = 0; q < 9; ++q) {
                (*now)[at(x, y)][q] =
                    equilibrium(q, 1 - 0.75 * speed * speed * pressure, taylor_green(x, y, 0));
            }
        }
    }
    for (int step = 0; step < steps; ++step) {
        transport->start(now->data());
        update(interior);
        transport->finish();
        update(rim);
        std::swap(now, next);
    }
    std::map<std::int64_t, Velocity> result;
    for (std::int32_t i = 0; i < plan->owned(); ++i) result[owned[i]] = moments((*now)[i]).second;
    return result;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int code = groundswell::parallel::run_to_exit_code(MPI_COMM_WORLD, [&] {
        const auto alone = run(MPI_COMM_SELF, "posted");
        double error = 0.0;
        for (const auto& [id, u] : alone) {
            const Velocity exact =
                taylor_green(static_cast<int>(id % size), static_cast<int>(id / size), steps);
            error = std::max({error, std::abs(u[0] - exact[0]), std::abs(u[1] - exact[1])});
        }
        bool good = error < 0.005 * speed;

        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        std::vector<std::string> names(argv + 1, argv + argc);
        if (names.empty()) {
            const halo::Plan plan(MPI_COMM_WORLD, {}, {});
            for (const std::string_view name : halo::transport_names()) {
                if (halo::availability(name, plan).available) names.emplace_back(name);
            }
        }
        for (const std::string& name : names) {
            std::int64_t same = 0;
            for (const auto& [id, u] : run(MPI_COMM_WORLD, name)) same += u == alone.at(id);
            MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0)
                std::printf("%s: %d of %d cells as on one rank\n", name.c_str(), int(same), size * size);
            good = good && same == size * size;
        }
        if (rank == 0) std::printf("largest error %.1e of the speed\n", error / speed);
        return good ? 0 : 1;
    });
    MPI_Finalize();
    return code;
}
