// Times every transport of the halo against one memcpy of the bytes that a rank receives.
//
// mpirun -n 2 bench_halo REPEATS FILE.json
//
// Two rings of halo around the parts of a patch of 40 000 hexagons, 36 × 35 floats a cell. In each repetition
// every transport has one exchange and memcpy one copy, so that a disturbance of the machine meets them all;
// ratios are taken inside a repetition. The slowest rank counts.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/json_report.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/mesh/load.hpp"
#include "groundswell/mesh/synthetic.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace {

using namespace groundswell;

constexpr int side = 200, layers = 2, bins = 36 * 35, warm_up = 10;

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// Seconds of one phase, one value a repetition, on this rank.
using Samples = std::vector<double>;

Samples of_slowest_rank(MPI_Comm comm, Samples mine) {
    parallel::check(
        MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, comm),
        "halo measurement");
    return mine;
}

// Percentiles of the slowest rank; min, mean, max over ranks of each rank's median.
nlohmann::json summary(MPI_Comm comm, const Samples& mine) {
    const Samples slowest = of_slowest_rank(comm, mine);
    const parallel::Statistic ranks = parallel::statistic(comm, percentile(mine, 0.5));
    return {{"p10", percentile(slowest, 0.1)},
            {"median", percentile(slowest, 0.5)},
            {"min", ranks.min},
            {"mean", ranks.mean},
            {"max", ranks.max}};
}

float value_of(std::int64_t id, int bin) {
    return static_cast<float>(id % 9973) + static_cast<float>(bin) / 2048.0f;
}

struct Contestant {
    std::unique_ptr<halo::Transport> transport;
    bool verified = false;
    Samples pack, wait, unpack, whole;

    void exchange(MPI_Comm comm, float* field) {
        const halo::Clock before = transport->clock();
        parallel::check(MPI_Barrier(comm), "halo measurement");
        const double begin = parallel::now();
        transport->start(field);
        transport->finish();
        whole.push_back(parallel::now() - begin);
        const halo::Clock& after = transport->clock();
        pack.push_back(after.pack - before.pack);
        wait.push_back(after.wait - before.wait);
        unpack.push_back(after.unpack - before.unpack);
    }

    void forget() {
        for (Samples* samples : {&pack, &wait, &unpack, &whole}) samples->clear();
    }
};

int measure(MPI_Comm comm, int rank, int repeats, const std::string& path) {
    mesh::LoadOptions load;
    load.layers = layers;
    const mesh::LocalMesh mesh = mesh::load_mesh(
                                     comm,
                                     [] {
                                         return mesh::hexagonal_patch(side, side, 10e3, 0.0, 0.5,
                                                                      [](double, double) { return 4000.0; });
                                     },
                                     load)
                                     .mesh;
    const auto plan = std::make_shared<const halo::Plan>(comm, mesh.owned_ids(), mesh.halo_ids());
    halo::Field<float> field(*plan, bins);

    std::vector<Contestant> contestants;
    for (const std::string_view name : halo::transport_names())
        if (name != "auto")
            contestants.emplace_back().transport = halo::make_transport(name, plan, field.channel());

    for (Contestant& one : contestants) {
        for (std::int32_t cell = 0; cell < mesh.total; ++cell)
            for (int b = 0; b < bins; ++b)
                field[cell][static_cast<std::size_t>(b)] =
                    cell < mesh.owned ? value_of(mesh.id[static_cast<std::size_t>(cell)], b) : -1.0f;
        one.exchange(comm, field.data());
        std::int64_t wrong = 0;
        for (std::int32_t cell = mesh.owned; cell < mesh.total; ++cell)
            for (int b = 0; b < bins; ++b)
                wrong += field[cell][static_cast<std::size_t>(b)] !=
                         value_of(mesh.id[static_cast<std::size_t>(cell)], b);
        one.verified = parallel::sum(comm, wrong) == 0;
    }

    const std::size_t received = static_cast<std::size_t>(plan->needed()) * bins * sizeof(float);
    std::vector<std::byte> from(received, std::byte{1}), to(received);
    Samples copies;
    for (int repeat = 0; repeat < warm_up + repeats; ++repeat) {
        if (repeat == warm_up) {
            copies.clear();
            for (Contestant& one : contestants) one.forget();
        }
        parallel::check(MPI_Barrier(comm), "halo measurement");
        const double begin = parallel::now();
        std::memcpy(to.data(), from.data(), received);
        copies.push_back(parallel::now() - begin);
        for (Contestant& one : contestants) one.exchange(comm, field.data());
    }
    // The copies are looked at, so that no compiler may leave them out.
    base::require(to == from, "bench_halo", "memcpy", "something else", "the same bytes");

    const Samples copy = of_slowest_rank(comm, copies);
    nlohmann::json transports = nlohmann::json::array();
    for (const Contestant& one : contestants) {
        const halo::Traffic& traffic = one.transport->traffic();
        const Samples whole = of_slowest_rank(comm, one.whole);
        Samples ratio(whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) ratio[i] = whole[i] / copy[i];
        transports.push_back({{"name", one.transport->name()},
                              {"available", true},
                              {"verified", one.verified},
                              {"pack", summary(comm, one.pack)},
                              {"wait", summary(comm, one.wait)},
                              {"unpack", summary(comm, one.unpack)},
                              {"whole", summary(comm, one.whole)},
                              {"ratio_to_memcpy", percentile(ratio, 0.5)},
                              {"bytes_sent", parallel::sum(comm, traffic.bytes / traffic.exchanges)},
                              {"messages", parallel::sum(comm, traffic.messages / traffic.exchanges)}});
    }
    const nlohmann::json result = {
        {"cells", mesh.global_cells},
        {"layers", layers},
        {"bytes_per_cell", bins * sizeof(float)},
        {"repeats", repeats},
        {"memcpy_bytes", parallel::max(comm, static_cast<std::int64_t>(received))},
        {"memcpy_seconds", {{"p10", percentile(copy, 0.1)}, {"median", percentile(copy, 0.5)}}},
        {"transports", transports}};
    const nlohmann::json report = cli::json_report("bench halo", comm, 1, result);
    if (rank == 0) cli::write_json(path, report);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const parallel::Environment environment;
    return parallel::run_to_exit_code(environment.comm(), [&] {
        base::require(argc == 3, "bench_halo", "arguments", std::to_string(argc - 1), "REPEATS FILE.json");
        const int repeats = std::max(10, std::atoi(argv[1]));
        return measure(environment.comm(), environment.rank(), repeats, argv[2]);
    });
}
