#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/doctor/doctor_folder.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

struct DoctorOptions {
    int threads = 1;
    std::string folder = ".", json;
};

// What one rank says of itself: fixed size, so that one gather collects all.
struct RankRecord {
    int rank, host, cpus;
    char host_name[64], cores[192];
};

RankRecord describe_rank(const parallel::Environment& environment, const parallel::Placement& placement) {
    const parallel::CpuSet cpus = parallel::cpus_of_computing_threads();
    RankRecord record{environment.rank(), placement.host, static_cast<int>(cpus.size()), {}, {}};
    placement.host_name.copy(record.host_name, sizeof record.host_name - 1);
    parallel::to_text(cpus).copy(record.cores, sizeof record.cores - 1);
    return record;
}

double free_gigabytes(const std::string& folder) {
    struct statvfs info;
    if (::statvfs(folder.c_str(), &info) != 0) return -1.0;
    return 1e-9 * static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
}

std::string environment_value(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

void check_launch(int size, std::vector<Problem>& problems) {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
        const std::string said = environment_value(name);
        if (!said.empty() && std::atoi(said.c_str()) > 1 && size == 1)
            problems.push_back(
                {"separate-runs",
                 fmt::format("the launcher started {} processes, but each believes it is alone", said),
                 "start with the mpirun of the MPI library that this program was built with"});
    }
}

// Who else is at work on the cores that these ranks may use.
std::vector<Problem> busy_cores(const parallel::LaunchCores& launch, const parallel::HostUse& use) {
    constexpr double worth_saying = 0.3;  // of a core
    std::vector<Problem> problems;
    if (use.wall <= 0.0 || use.of_others() < worth_saying * use.wall) return problems;
    std::string names;
    for (const parallel::Program& program : use.others)
        names += fmt::format("{}{} (process {})", names.empty() ? ": " : ", ", program.name, program.process);
    problems.push_back({"busy-cores",
                        fmt::format("other programs take {:.1f} of the {} core(s) {} of host {}{}",
                                    use.of_others() / use.wall, use.cpus, parallel::to_text(launch.allowed),
                                    launch.host.name, names),
                        "end them, or wait until they are done, or choose another host or other cores"});
    return problems;
}

// What the ranks would have of their cores, from how they were started and a moment's look at the machines.
struct CoreCheck {
    std::vector<Problem> problems;  // on rank 0, with the loads
    std::vector<nlohmann::json> loads;
};

CoreCheck check_cores(MPI_Comm comm, int threads) {
    // So many threads as show where they would be bound; more are not started for a question.
    exec::set_threads(std::min(threads, 2 * static_cast<int>(parallel::machine_cpus().size())));
    const parallel::LaunchCores launch = parallel::find_launch(comm, threads);
    const parallel::CoreWatch watch(comm, launch);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const parallel::CoreReport report = watch.look({}, 0.0);
    CoreCheck check;
    std::vector<Problem> mine = launch.findings;
    std::string load;
    if (report.host) {
        for (const Problem& problem : busy_cores(launch, *report.host)) mine.push_back(problem);
        load = nlohmann::json{{"host", launch.host.name},
                              {"owned_cores", parallel::to_text(launch.host.owned)},
                              {"quota_cores", launch.host.quota},
                              {"load", report.host->load_end},
                              {"busy_cores", report.host->of_others() / report.host->wall}}
                   .dump();
    }
    check.problems = parallel::gather_findings(comm, mine);
    for (const std::string& text : parallel::gather_texts(comm, load))
        if (!text.empty()) check.loads.push_back(nlohmann::json::parse(text));
    return check;
}

// Parts that follow each other mostly are neighbours: ranks that follow each other belong on one host.
void check_order(const std::vector<RankRecord>& ranks, int hosts, const parallel::Library& library,
                 std::vector<Problem>& problems) {
    int apart = 0;
    bool in_turn = true;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        in_turn = in_turn && ranks[r].host == static_cast<int>(r) % hosts;
        if (r > 0 && ranks[r].host != ranks[r - 1].host) ++apart;
    }
    if (apart <= hosts - 1) return;
    problems.push_back(
        {"scattered-ranks",
         fmt::format("ranks are scattered over hosts ({}): {} of {} ranks sit on another host than the rank "
                     "before; {} would do",
                     in_turn ? "round robin" : "in no order", apart, ranks.size() - 1, hosts - 1),
         fmt::format("fill one host after the other: {}; or leave mesh.partition at \"two-level\" (the "
                     "default), which gives each rank a part next to those of its host",
                     library.name == "Open MPI" ? "mpirun --map-by core"
                                                : "mpiexec -ppn N with N ranks a host, srun "
                                                  "--distribution=block")});
}

void check_shared_memory(int ranks_on_host, std::vector<Problem>& problems) {
    const double shared = free_gigabytes("/dev/shm");
    if (ranks_on_host > 1 && shared >= 0.0 && shared < 0.064)
        problems.push_back({"small-shared-memory", fmt::format("/dev/shm: {:.3f} GB free", shared),
                            "start the container with a larger --shm-size"});
}

// Those that a run could ask for here: a writer thread needs an MPI library that several threads may call.
std::vector<std::string> possible_output_modes(const parallel::Environment& environment) {
    std::vector<std::string> modes = output::output_modes();
    if (environment.thread_level() != parallel::ThreadLevel::multiple) std::erase(modes, "thread");
    return modes;
}

// What is told: found on rank 0.
struct Diagnosis {
    const DoctorOptions& options;
    parallel::Library mpi;
    std::string thread_level;
    std::vector<std::string> output_modes;
    parallel::Placement placement;
    std::vector<RankRecord> ranks;
    std::vector<nlohmann::json> loads;
    std::vector<Problem> problems;
    FolderReport folder;
};

nlohmann::json to_json(const Diagnosis& found) {
    nlohmann::json ranks = nlohmann::json::array(), problems = nlohmann::json::array();
    for (const RankRecord& rank : found.ranks)
        ranks.push_back(
            {{"rank", rank.rank}, {"host", rank.host_name}, {"cpus", rank.cpus}, {"cores", rank.cores}});
    for (const Problem& problem : found.problems)
        problems.push_back({{"code", problem.code}, {"message", problem.message}, {"fix", problem.fix}});
    return {{"mpi",
             {{"library", found.mpi.name},
              {"version", found.mpi.version},
              {"thread_level", found.thread_level},
              {"io", found.folder.mpi_io}}},
            {"ranks", ranks},
            {"hosts", found.loads},
            {"file_system", to_json(found.folder)},
            {"output_modes", found.output_modes},
            {"problems", problems}};
}

void print(const Diagnosis& found) {
    std::cout << fmt::format("processor    {}\nMPI          {} {}, threads {}, files by {}\n",
                             simulation::cpu_name(), found.mpi.name, found.mpi.version, found.thread_level,
                             found.folder.mpi_io);
    std::cout << fmt::format("hosts        {}{}\n{}output       {}\n", found.placement.hosts,
                             found.placement.pretended ? " (pretended)" : "", describe(found.folder),
                             fmt::join(found.output_modes, ", "));
    for (const nlohmann::json& host : found.loads)
        std::cout << fmt::format(
            "host         {}: cores {} of this job, load {:.1f}, {:.1f} cores busy with "
            "other programs\n",
            host["host"].get<std::string>(), host["owned_cores"].get<std::string>(),
            host["load"].get<double>(), host["busy_cores"].get<double>());
    for (const RankRecord& rank : found.ranks)
        std::cout << fmt::format("rank {:<7} host {}, core{} {}\n", rank.rank, rank.host_name,
                                 rank.cpus == 1 ? "" : "s", rank.cores);
    for (const Problem& problem : found.problems)
        std::cout << fmt::format("problem      {}: {}\n             fix: {}\n", problem.code, problem.message,
                                 problem.fix);
    if (found.problems.empty()) std::cout << "no problems found\n";
    std::cout << std::flush;
}

int doctor(const parallel::Environment& environment, const DoctorOptions& options) {
    const MPI_Comm comm = environment.comm();
    const parallel::Placement placement = parallel::find_placement(comm);
    const CoreCheck cores = check_cores(comm, options.threads);
    const RankRecord mine = describe_rank(environment, placement);
    const bool first = environment.rank() == 0;
    parallel::agree(comm, [&] {
        if (first) simulation::check_json_target(options.json);
    });
    std::vector<RankRecord> ranks(first ? static_cast<std::size_t>(environment.size()) : 0);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, ranks.data(), sizeof mine, MPI_BYTE, 0, comm);
    const FolderReport folder = look_at_folder(comm, placement, options.folder);
    nlohmann::json report = simulation::json_report("doctor", comm, options.threads, nullptr);
    const int answer = parallel::agree(comm, [&] {
        if (!first) return 0;
        Diagnosis found{options,
                        parallel::library(),
                        std::string(parallel::name(environment.thread_level())),
                        possible_output_modes(environment),
                        placement,
                        ranks,
                        cores.loads,
                        cores.problems,
                        folder};
        check_launch(environment.size(), found.problems);
        check_order(ranks, placement.hosts, found.mpi, found.problems);
        check_shared_memory(placement.ranks_on_host, found.problems);
        for (const Problem& problem : problems_of(folder)) found.problems.push_back(problem);
        report["result"] = to_json(found);
        if (options.json != "-") print(found);
        if (!options.json.empty()) simulation::write_json(options.json, report);
        return found.problems.empty() ? 0 : static_cast<int>(base::ExitCode::negative);
    });
    return static_cast<int>(parallel::max(comm, std::int64_t{answer}));
}

}  // namespace

Action add_doctor(simulation::Command& program) {
    auto options = std::make_shared<DoctorOptions>();
    simulation::Command command = program.add_command("doctor",
                                                      "describe this machine, its MPI library, file system "
                                                      "and binding of ranks, and what is wrong with them");
    command.footer(
        "Example: mpirun -n 4 groundswell doctor --threads 2\nExit code 1 when something is wrong.");
    command.option("--threads", options->threads, "threads that each rank will have").above_zero();
    command.option("--folder,--output", options->folder, "where output will go").type_name("DIR");
    simulation::add_json_option(command, options->json);
    return [options] {
        // The most is asked for, to tell what a run may have.
        const parallel::Environment environment(parallel::ThreadLevel::multiple,
                                                parallel::ThreadLevel::funneled);
        return parallel::run_to_exit_code(environment.comm(), [&] { return doctor(environment, *options); });
    };
}

}  // namespace groundswell::cli
