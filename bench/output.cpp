// Times the output layer against plain write(2) and fsync(2) of the same bytes on the same file system.
//
// mpirun -n 2 bench_output ROUNDS FOLDER FILE.json
//
// A map of 250 000 faces × 4 fields × 8 records, and a restart-like variable of 20 000 cells × 1260 bins. The
// rows that a rank owns lie in the file as runs of consecutive rows: `blocks` (one run a rank), `curve`
// (cells along a space-filling curve in a mesh whose file counts them row by row: what a run has) and
// `random`. Methods: the modes of the output layer, `plain` (each rank writes its contiguous share, nothing
// to find out, nothing checked: the floor) and `scattered` (each rank writes its runs one by one where they
// belong: what happens without rearranging). In each round every method has its turn, so that a disturbance
// of the machine meets them all; ratios to `plain` are taken inside a round. Time ends when the bytes are on
// the device.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace {

using namespace groundswell;

constexpr int map_side = 500, map_records = 8, restart_nx = 200, restart_ny = 100, bins = 36 * 35;
const std::vector<std::string> field_names = {"hs", "tm01", "tp", "dir"};

struct Dataset {
    std::string name;       // map or restart
    std::int64_t rows = 0;  // of the whole file
    std::int64_t row_width = 1;
    int fields = 1;
    int records = 0;  // 0: one variable without records
    std::int64_t bytes() const {
        return rows * row_width * fields * std::max(1, records) * static_cast<std::int64_t>(sizeof(float));
    }
};

// Rows of the file that this rank owns, in the order in which it holds their values.
std::vector<std::int64_t> owned_rows(MPI_Comm comm, const std::string& order, int nx, int ny) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const std::int64_t rows = std::int64_t{nx} * ny, first = rank * rows / ranks,
                       last = (rank + 1) * rows / ranks;
    if (order == "curve") {
        const voronoi::LocalMesh mesh =
            voronoi::load_mesh(comm, [&] {
                return voronoi::hexagonal_patch(nx, ny, 4e3, 0.0, 0.5, [](double, double) { return 4000.0; });
            }).mesh;
        return {mesh.face.begin(), mesh.face.begin() + mesh.owned};
    }
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    if (order == "random") std::shuffle(all.begin(), all.end(), std::mt19937(7));
    return {all.begin() + first, all.begin() + last};
}

output::Schema schema_of(const Dataset& dataset) {
    output::Schema schema;
    const bool map = dataset.records > 0;
    if (map) {
        schema.dimensions.push_back({"time", 0, true});
        schema.variables.push_back({"time", output::Type::float64, {"time"}, {{"units", "seconds"}}});
    }
    schema.dimensions.push_back({"nFace", dataset.rows});
    if (!map) schema.dimensions.push_back({"bin", dataset.row_width});
    for (int f = 0; f < dataset.fields; ++f)
        schema.variables.push_back(
            {map ? field_names[static_cast<std::size_t>(f)] : "action",
             output::Type::float32,
             map ? std::vector<std::string>{"time", "nFace"} : std::vector<std::string>{"nFace", "bin"},
             {}});
    return schema;
}

void write_through_library(const std::string& mode, const std::string& path, const Dataset& dataset,
                           const output::Decomposition& decomposition, const std::vector<float>& values) {
    output::FileOptions options;
    options.mode = mode;
    options.overwrite = true;
    output::File file = output::File::create(decomposition.comm(), path, schema_of(dataset), options);
    const std::span<const float> all(values);
    if (dataset.records == 0) file.write_fixed(output::distributed("action", decomposition, all));
    for (int record = 0; record < dataset.records; ++record) {
        std::vector<output::Values> fields;
        for (int f = 0; f < dataset.fields; ++f)
            fields.push_back(
                output::distributed(field_names[static_cast<std::size_t>(f)], decomposition, all));
        file.append_record(record, fields);
    }
    file.close();
}

// Runs of rows [begin, end) that are consecutive in the file and in memory.
struct Run {
    std::int64_t row, position, rows;
};
std::vector<Run> runs_of(const std::vector<std::int64_t>& rows) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!runs.empty() && runs.back().row + runs.back().rows == rows[i])
            ++runs.back().rows;
        else
            runs.push_back({rows[i], static_cast<std::int64_t>(i), 1});
    }
    return runs;
}

void write_by_hand(MPI_Comm comm, const std::string& path, const Dataset& dataset,
                   const std::vector<Run>& runs, const std::vector<float>& values) {
    const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0644);
    base::require(file >= 0, path, "open", std::strerror(errno), "a folder that can be written");
    const std::int64_t row_bytes = dataset.row_width * static_cast<std::int64_t>(sizeof(float));
    bool good = true;
    for (int part = 0; part < std::max(1, dataset.records) * dataset.fields; ++part) {
        for (const Run& run : runs) {
            const char* bytes = reinterpret_cast<const char*>(values.data()) + run.position * row_bytes;
            std::int64_t left = run.rows * row_bytes, at = (part * dataset.rows + run.row) * row_bytes;
            while (left > 0 && good) {
                const ssize_t done = pwrite(file, bytes, static_cast<std::size_t>(left), at);
                good = done > 0;
                bytes += done, left -= done, at += done;
            }
        }
    }
    good = good && fsync(file) == 0;
    close(file);
    if (!good) throw base::RunFailure(path + ": cannot be written");
    parallel::check(MPI_Barrier(comm), "output measurement");
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// One way to write one dataset in one order, with its seconds, one value a round.
struct Case {
    std::string method, order;
    std::vector<double> seconds;
};

nlohmann::json measure(MPI_Comm comm, int rank, const Dataset& dataset, int nx, int ny,
                       const std::vector<std::string>& orders, int rounds, const std::string& folder) {
    std::vector<Case> cases = {{"plain", "blocks", {}}};
    for (const std::string& order : orders) {
        for (const std::string& mode : output::available_modes()) cases.push_back({mode, order, {}});
        if (order == "curve") cases.push_back({"scattered", order, {}});
    }
    struct Layout {
        std::vector<std::int64_t> rows;
        std::vector<Run> runs;
        std::unique_ptr<output::Decomposition> decomposition;
    };
    std::map<std::string, Layout> layouts;
    for (const std::string& order : orders) {
        Layout& layout = layouts[order];
        layout.rows = owned_rows(comm, order, nx, ny);
        layout.runs = runs_of(layout.rows);
        layout.decomposition = std::make_unique<output::Decomposition>(comm, dataset.rows, layout.rows);
    }
    const auto at_most = static_cast<std::size_t>((dataset.rows + 1) * dataset.row_width);
    std::vector<float> values(at_most);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    for (int round = 0; round < rounds; ++round) {
        for (Case& one : cases) {
            const Layout& layout = layouts.at(one.order);
            const std::string path = folder + "/bench_output.nc";
            std::vector<float> mine(
                values.begin(),
                values.begin() + static_cast<std::ptrdiff_t>(layout.rows.size()) * dataset.row_width);
            if (rank == 0) std::filesystem::remove(path);
            sync();  // what the one before left behind is not this one's time
            parallel::check(MPI_Barrier(comm), "output measurement");
            const double begin = parallel::now();
            if (one.method == "plain" || one.method == "scattered")
                write_by_hand(comm, path, dataset, layout.runs, mine);
            else
                write_through_library(one.method, path, dataset, *layout.decomposition, mine);
            one.seconds.push_back(parallel::max(comm, parallel::now() - begin));
        }
    }
    if (rank == 0) std::filesystem::remove(folder + "/bench_output.nc");
    nlohmann::json methods = nlohmann::json::array();
    for (const Case& one : cases) {
        std::vector<double> ratio;
        for (int round = 0; round < rounds; ++round)
            ratio.push_back(one.seconds[static_cast<std::size_t>(round)] /
                            cases.front().seconds[static_cast<std::size_t>(round)]);
        const double typical = median(one.seconds);
        methods.push_back(
            {{"method", one.method},
             {"order", one.order},
             {"runs", parallel::sum(comm, static_cast<std::int64_t>(layouts.at(one.order).runs.size()))},
             {"seconds",
              {{"min", *std::min_element(one.seconds.begin(), one.seconds.end())},
               {"median", typical},
               {"max", *std::max_element(one.seconds.begin(), one.seconds.end())}}},
             {"megabytes_per_second", 1e-6 * static_cast<double>(dataset.bytes()) / typical},
             {"ratio_to_plain", median(ratio)}});
    }
    return {{"name", dataset.name},         {"rows", dataset.rows},       {"row_width", dataset.row_width},
            {"fields", dataset.fields},     {"records", dataset.records}, {"bytes", dataset.bytes()},
            {"methods", std::move(methods)}};
}

}  // namespace

int main(int argc, char** argv) {
    const parallel::Environment environment;
    return parallel::run_to_exit_code(environment.comm(), [&] {
        base::require(argc == 4, "bench_output", "arguments", std::to_string(argc - 1),
                      "ROUNDS FOLDER FILE.json");
        const MPI_Comm comm = environment.comm();
        const int rounds = std::max(3, std::atoi(argv[1]));
        const Dataset map{"map", map_side * map_side, 1, static_cast<int>(field_names.size()), map_records};
        const Dataset restart{"restart", restart_nx * restart_ny, bins, 1, 0};
        nlohmann::json datasets = nlohmann::json::array();
        datasets.push_back(measure(comm, environment.rank(), map, map_side, map_side,
                                   {"blocks", "curve", "random"}, rounds, argv[2]));
        datasets.push_back(measure(comm, environment.rank(), restart, restart_nx, restart_ny,
                                   {"blocks", "curve"}, rounds, argv[2]));
        const nlohmann::json report =
            simulation::json_report("bench output", comm, 1, {{"rounds", rounds}, {"datasets", datasets}});
        if (environment.rank() == 0) simulation::write_json(argv[3], report);
        return 0;
    });
}
