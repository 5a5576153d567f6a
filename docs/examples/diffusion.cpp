// Heat and dye spread in a round basin of hexagonal cells: a model of its own on groundswell's halo exchange.
//
//   mpirun -n 4 diffusion [TRANSPORT...]      without names: every one there is
//
// Each step a cell's value v grows by k Σ (v of the neighbour - v): what leaves one cell enters another, and
// nothing crosses the coast. The program checks that no heat is lost and that every bit is what one rank
// alone computes; exit code 1 if not.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"

namespace halo = groundswell::halo;

struct Water {  // what a cell carries: any type that may be copied byte by byte
    double heat;
    float dye;
};

struct Cell {
    std::int64_t id;                       // any distinct numbers from 0 on; they may have gaps
    std::vector<std::int64_t> neighbours;  // 6, fewer at the coast
    Water first;
};

// The cells that a rank owns: one slice of the basin. A real model asks a partitioner.
std::vector<Cell> make_slice(int rank, int ranks) {
    const auto wet = [](int i, int j) {
        return i * i + i * j + j * j <= 40 * 40;
    };  // distance from the middle
    const auto id = [](int i, int j) { return std::int64_t{1000} * (i + 100) + j + 100; };
    std::vector<Cell> cells;
    for (int i = -50; i <= 50; ++i) {
        for (int j = -50; j <= 50; ++j) {
            const double turn = std::atan2(i, j) / 6.2832 + 0.5;  // from 0 to 1 around the middle
            if (!wet(i, j) || static_cast<int>(turn * ranks) != rank) continue;
            Cell& cell =
                cells.emplace_back(Cell{id(i, j), {}, {1.0 / (1 + i * i + j * j), i < 0 ? 1.0F : 0.0F}});
            for (const auto& [di, dj] : {std::pair{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}) {
                if (wet(i + di, j + dj)) cell.neighbours.push_back(id(i + di, j + dj));
            }
        }
    }
    return cells;
}

// Runs the model on the ranks of `comm` and returns what this rank's cells hold at the end.
std::map<std::int64_t, Water> run(MPI_Comm comm, const std::vector<Cell>& cells,
                                  std::string_view transport_name) {
    // 1. The ids that this rank owns, and those that it needs: neighbours of its cells that others own. Local
    //    indices run over the owned ids in the order given, then over the needed ones.
    std::vector<std::int64_t> owned, needed;
    std::map<std::int64_t, std::int32_t> local;
    for (const Cell& cell : cells) {
        local[cell.id] = static_cast<std::int32_t>(owned.size());
        owned.push_back(cell.id);
    }
    std::vector<std::vector<std::int32_t>> neighbours(cells.size());
    std::vector<std::int32_t> interior, rim;
    for (std::int32_t i = 0; i < std::ssize(cells); ++i) {
        for (const std::int64_t id : cells[i].neighbours) {
            const auto [place, is_new] = local.try_emplace(id, std::ssize(owned) + std::ssize(needed));
            if (is_new) needed.push_back(id);
            neighbours[i].push_back(place->second);
        }
        const bool at_rim =
            std::ranges::any_of(neighbours[i], [&](auto n) { return n >= std::ssize(owned); });
        (at_rim ? rim : interior).push_back(i);
    }

    // 2. Who sends what to whom, found once; room for the values; and a way to exchange them.
    const auto plan = std::make_shared<const halo::Plan>(comm, owned, needed);
    halo::Field<Water> even(*plan, 1, 0, halo::Memory::shared), odd(*plan, 1, 0, halo::Memory::shared);
    const auto transport = halo::make_transport(transport_name, plan, even.channel());

    // 3. Interior cells are computed while the needed values are under way.
    halo::Field<Water>*now = &even, *next = &odd;
    const auto update = [&](const std::vector<std::int32_t>& some_cells) {
        for (const std::int32_t i : some_cells) {
            const Water old = (*now)[i][0];
            Water sum{0.0, 0.0F};
            for (const std::int32_t n : neighbours[i]) {
                sum.heat += (*now)[n][0].heat - old.heat;
                sum.dye += (*now)[n][0].dye - old.dye;
            }
            (*next)[i][0] = {old.heat + 0.1 * sum.heat, old.dye + 0.1F * sum.dye};
        }
    };
    for (std::int32_t i = 0; i < plan->owned(); ++i) (*now)[i][0] = cells[i].first;
    for (int step = 0; step < 100; ++step) {
        transport->start(now->data());
        update(interior);
        transport->finish();
        update(rim);
        std::swap(now, next);
    }
    std::map<std::int64_t, Water> result;
    for (std::int32_t i = 0; i < plan->owned(); ++i) result[owned[i]] = (*now)[i][0];
    return result;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int code = groundswell::parallel::run_to_exit_code(MPI_COMM_WORLD, [&] {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const std::vector<Cell> basin = make_slice(0, 1);
        const auto alone = run(MPI_COMM_SELF, basin, "posted");
        double before = 0.0, after = 0.0;
        for (const Cell& cell : basin) before += cell.first.heat;
        for (const auto& [id, water] : alone) after += water.heat;
        bool right = std::abs(after - before) < 1e-12 * before;

        std::vector<std::string> names(argv + 1, argv + argc);
        if (names.empty()) {
            const halo::Plan plan(MPI_COMM_WORLD, {}, {});
            for (const std::string_view name : halo::transport_names()) {
                if (halo::availability(name, plan).available) names.emplace_back(name);
            }
        }
        for (const std::string& name : names) {
            std::int64_t same = 0;
            for (const auto& [id, water] : run(MPI_COMM_WORLD, make_slice(rank, ranks), name)) {
                same += water.heat == alone.at(id).heat && water.dye == alone.at(id).dye;
            }
            MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0)
                std::printf("%s: %zd of %zd cells as on one rank\n", name.c_str(), same, basin.size());
            right = right && same == std::ssize(basin);
        }
        return right ? 0 : 1;
    });
    MPI_Finalize();
    return code;
}
