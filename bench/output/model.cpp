// A model that computes and writes, and says what the writing cost: what bench/output/run measures.
//
// mpirun -n 2 bench_output_model --calibrate SECONDS --json FILE
// mpirun -n 3 bench_output_model --mode servers --servers 1 --intervals 32 --work PASSES --file FILE.nc
// --json FILE
//
// The ranks that compute share a square of cells, cut along a space-filling curve as a real mesh is. A record
// of four fields is written at the start and after each interval. An interval is a fixed amount of
// arithmetic, the same for any number of ranks, in steps that end with messages to the neighbours, as a
// model's halo exchange does. Mode `none` computes alone. What was written is read again when the clock has
// stopped.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "figures.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/run/frame.hpp"
#include "work.hpp"

namespace {

using namespace groundswell;
using namespace bench;

const std::array<std::string, 4> field_names = {"hs", "tm01", "tp", "dir"};

float value_at(std::int64_t cell, std::size_t field, int record) {
    return static_cast<float>(cell % 1000) + 0.25F * static_cast<float>(field) +
           1e3F * static_cast<float>(record);
}

output::Schema schema_of(std::int64_t cells) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}, {"nFace", cells}, {"one", 1}};
    schema.variables.push_back({"mesh", output::Type::int32, {"one"}, {}});  // a file has something besides
    schema.variables.push_back({"time", output::Type::float64, {"time"}, {{"units", "seconds"}}});
    for (const std::string& name : field_names)
        schema.variables.push_back({name, output::Type::float32, {"time", "nFace"}, {}});
    return schema;
}

output::OutputOptions options_of(const Settings& settings, MPI_Comm comm) {
    output::OutputOptions options;
    options.mode = settings.mode;
    options.where = "bench_output_model";
    options.storage.format = output::parse_format(settings.format, options.where, "--format");
    if (settings.mode == "thread" || settings.mode == "auto") {  // as a run of the model looks for cores
        options.writer_cpu = parallel::find_thread_core(comm, parallel::allowed_cpus(), 1).cpu;
        options.cores_for_all =
            parallel::find_placement(comm).ranks_on_host <= static_cast<int>(parallel::machine_cpus().size());
    }
    return options;
}

/// The file of the run, where there is one.
class Writing {
public:
    Writing(const Settings& settings, MPI_Comm comm, std::int64_t cells, std::int64_t bytes_here,
            const output::Roles* roles) {
        if (settings.mode == "none") return;
        output_ = std::make_unique<output::Output>(comm, options_of(settings, comm), roles);
        output_->announce(settings.file, bytes_here);
        file_ = output_->create(settings.file, schema_of(cells), true);
        const std::int32_t mesh = 0;
        file_->write_fixed(output::replicated("mesh", std::span(&mesh, 1)));
    }
    void append(int record, const output::Decomposition& rows,
                const std::vector<std::vector<float>>& fields) {
        if (!file_) return;
        std::vector<output::Values> values;
        for (std::size_t f = 0; f < field_names.size(); ++f)
            values.push_back(output::distributed<float>(field_names[f], rows, fields[f]));
        file_->append_record(record, values);
    }
    void finish() {
        if (!file_) return;
        file_->close();
        output_->finish();
    }
    void report(Figures& figures) const {
        if (!output_) return;
        const output::OutputReport report = output_->report();
        figures.blocked = report.blocked_seconds;
        figures.waited = report.waited_seconds;
        figures.waits = static_cast<double>(report.waits);
        figures.finish = report.finish_seconds;
        figures.writing = report.writing_seconds;
        figures.setup = report.setup_seconds;
        figures.records = static_cast<double>(report.records);
        figures.bytes = static_cast<double>(report.bytes);
        figures.buffer = static_cast<double>(report.buffer_bytes);
        figures.most = static_cast<double>(report.most_bytes);
    }

private:
    std::unique_ptr<output::Output> output_;
    std::optional<output::Dataset> file_;
};

/// Checks that the file holds what was written last.
void check_file(const Settings& settings, std::int64_t cells) {
    const output::Reader file(settings.file);
    const int records = settings.idle ? 0 : settings.intervals + 1;
    bool right = file.records() == records;
    for (std::size_t f = 0; f < field_names.size() && records > 0 && right; ++f) {
        const std::vector<float> values = file.read_all<float>(field_names[f], records - 1);
        for (std::int64_t cell = 0; cell < cells; ++cell)
            right = right && values[static_cast<std::size_t>(cell)] == value_at(cell, f, records - 1);
    }
    if (!right) throw base::RunFailure(settings.file + ": does not hold what was written");
}

Figures compute(const Settings& settings, MPI_Comm comm, const output::Roles* roles) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const auto side = static_cast<std::int64_t>(
        std::sqrt(static_cast<double>(settings.record) / (field_names.size() * sizeof(float))));
    const std::vector<std::int64_t> cells = owned_cells(side, rank, ranks);
    std::vector<std::vector<float>> fields(field_names.size(), std::vector<float>(cells.size()));
    const auto fill = [&](int record) {
        for (std::size_t f = 0; f < fields.size(); ++f)
            for (std::size_t i = 0; i < cells.size(); ++i) fields[f][i] = value_at(cells[i], f, record);
    };
    fill(0);
    const output::Decomposition rows(comm, side * side, cells);
    const auto bytes_here = static_cast<std::int64_t>(cells.size() * fields.size() * sizeof(float));
    const std::int64_t passes = settings.work / ranks / settings.steps;
    Work work;
    Halo halo(comm);

    Figures figures;
    parallel::check(MPI_Barrier(comm), "output measurement");
    const double begin = parallel::now(), processor_begin = processor_seconds_of_process();
    {
        Writing writing(settings, comm, side * side, bytes_here, roles);
        if (!settings.idle) writing.append(0, rows, fields);
        for (int interval = 1; interval <= settings.intervals; ++interval) {
            const double computing = parallel::now();
            for (int step = 0; step < settings.steps; ++step) {
                for (std::int64_t pass = 0; pass < passes; ++pass) work.pass();
                halo.exchange();
            }
            fill(interval);
            figures.computing += parallel::now() - computing;
            if (!settings.idle) writing.append(interval, rows, fields);
        }
        writing.finish();
        figures.total = parallel::now() - begin;
        figures.processor = processor_seconds_of_process() - processor_begin;
        writing.report(figures);
    }
    figures.memory = static_cast<double>(parallel::peak_memory_bytes());
    base::require(std::isfinite(work.result()), "bench_output_model", "work", "", "numbers");
    parallel::agree(comm, [&] {
        if (rank == 0 && settings.mode != "none") check_file(settings, side * side);
    });
    return figures;
}

Figures write_for_others(const output::Roles& roles) {
    Figures figures;
    figures.serves = 1.0;
    const double begin = parallel::now(), processor_begin = processor_seconds_of_process();
    const output::ServerReport report = output::serve(roles);
    figures.total = parallel::now() - begin;
    figures.processor = processor_seconds_of_process() - processor_begin;
    figures.writing = report.writing_seconds;
    figures.bytes = static_cast<double>(report.bytes);
    figures.idle = report.idle_seconds;
    figures.idle_processor = report.idle_cpu_seconds;
    figures.memory = static_cast<double>(parallel::peak_memory_bytes());
    return figures;
}

Figures run(const Settings& settings, const parallel::Environment& mpi) {
    if (settings.mode != "servers") return compute(settings, mpi.comm(), nullptr);
    const output::Roles roles =
        output::split_roles(mpi.comm(), output::server_count(std::to_string(settings.servers), mpi.size(),
                                                             "bench_output_model", "--servers"));
    if (roles.serves) return write_for_others(roles);
    try {
        const Figures figures = compute(settings, roles.compute.get(), &roles);
        output::release_servers(roles);
        return figures;
    } catch (const parallel::Agreed&) {
        output::release_servers(roles);
        throw;
    }
}

int measure(const Settings& settings, const parallel::Environment& mpi) {
    const MPI_Comm comm = mpi.comm();
    if (settings.calibrate > 0.0) {
        const double rate = passes_per_second(comm, settings.calibrate);
        const nlohmann::json report =
            simulation::json_report("bench output model", comm, 1, {{"passes_per_second", rate}});
        if (mpi.rank() == 0) simulation::write_json(settings.json, report);
        return 0;
    }
    const Figures mine = parallel::agree(comm, [&] { return run(settings, mpi); });
    std::vector<Figures> all(mpi.rank() == 0 ? static_cast<std::size_t>(mpi.size()) : 0);
    constexpr int count = sizeof(Figures) / sizeof(double);
    parallel::check(MPI_Gather(&mine, count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, comm),
                    "gather figures");
    nlohmann::json result = mpi.rank() == 0 ? result_of(settings, all) : nlohmann::json();
    const nlohmann::json report = simulation::json_report("bench output model", comm, 1, std::move(result));
    if (mpi.rank() == 0) simulation::write_json(settings.json, report);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    simulation::CommandLine program{"A model that computes and writes; see bench/output/run"};
    program.option("--mode", settings.mode, "none, or a mode of the output");
    program.option("--format", settings.format, "of the file");
    program.option("--servers", settings.servers, "ranks that write, in mode servers");
    program.option("--intervals", settings.intervals, "times of computing, each followed by a record");
    program.option("--steps", settings.steps, "of an interval, each followed by messages");
    program.option("--work", settings.work, "passes of an interval");
    program.option("--record", settings.record, "bytes of a record");
    program.option("--file", settings.file, "to write");
    program.option("--json", settings.json, "report").required();
    program.option("--calibrate", settings.calibrate, "seconds: say how many passes a second has");
    program.flag("--idle", settings.idle, "make the file and write nothing to it");
    const int answered = simulation::parse_command_line(program, argc, argv);
    if (answered >= 0) return answered;
    // Only a writer thread needs more than the library's least.
    const bool threads = settings.mode == "thread" || settings.mode == "auto";
    const parallel::Environment mpi(threads ? parallel::ThreadLevel::multiple
                                            : parallel::ThreadLevel::funneled);
    return parallel::run_to_exit_code(mpi.comm(), [&] { return measure(settings, mpi); });
}
