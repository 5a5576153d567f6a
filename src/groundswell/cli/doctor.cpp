#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mpi.h>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/doctor/doctor_folder.hpp"
#include "groundswell/cli/doctor/doctor_machine.hpp"
#include "groundswell/cli/doctor/doctor_speed.hpp"
#include "groundswell/exec/device/cuda/cuda_device.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/device/routes.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/placement_judgement.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/machine/adapters.hpp"
#include "groundswell/parallel/machine/launcher.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

double time_round(MPI_Comm comm) {
    const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
    const double begin = parallel::now();
    for (int distance = 1; distance < ranks; distance *= 2) {
        double out = 1.0, in = 0.0;
        parallel::check(MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + distance) % ranks, 0, &in, 1, MPI_DOUBLE,
                                     (rank - distance + ranks) % ranks, 0, comm, MPI_STATUS_IGNORE),
                        "exchange first messages");
    }
    return parallel::now() - begin;
}

// Whether the ranks of a machine can have memory in common through the library.
bool has_shared_windows(MPI_Comm comm) {
    const parallel::Communicator machine = parallel::machine_communicator(comm);
    MPI_Win window = MPI_WIN_NULL;
    void* base = nullptr;
    MPI_Comm_set_errhandler(machine.get(), MPI_ERRORS_RETURN);
    const bool made =
        MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, machine.get(), &base, &window) == MPI_SUCCESS;
    if (made) MPI_Win_free(&window);
    return parallel::min(comm, std::int64_t{made ? 1 : 0}) == 1;
}

/// Small messages to ranks 1, 2, 4, … away, twice: as many partners as a rank of a large run has. The slowest rank's times,
/// on all ranks. Before anything else, so that there are no connections yet. Collective.
parallel::FirstMessages time_first_messages(MPI_Comm comm) {
    const double first = time_round(comm), again = time_round(comm);
    return {parallel::max(comm, first), parallel::max(comm, again)};
}

/// `mpi` of the report but for `io`. Collective.
nlohmann::json look_at_mpi(MPI_Comm comm, const parallel::Environment& environment,
                           const parallel::FirstMessages& messages) {
    const parallel::Library library = parallel::library();
    const parallel::Launcher launcher = parallel::find_launcher(library);
    const parallel::MpiTransport transport = parallel::mpi_transport();
    const bool windows = has_shared_windows(comm);
    return {{"library", library.name},
            {"version", library.version},
            {"standard", library.standard},
            {"thread_level", std::string(parallel::name(environment.thread_level()))},
            {"launcher", launcher.name()},
            {"batch_job", launcher.batch},
            {"waits_busily", parallel::spins_while_waiting(launcher)},
            {"transport", {{"in_use", transport.in_use}, {"settings", transport.settings}}},
            {"features",
             {{"shared_windows", windows},
              {"large_counts", MPI_VERSION >= 4},
              {"gpu_memory", halo::mpi_takes_gpu_memory()}}},
            {"first_messages_seconds", messages.first},
            {"later_messages_seconds", messages.again}};
}

/// For people.
std::string describe_mpi(const nlohmann::json& mpi) {
    const auto word = [&](const char* key) { return mpi[key].get<std::string>(); };
    std::string text =
        fmt::format("MPI          {} {} (standard {}), threads {}, files by {}\n", word("library"),
                    word("version"), word("standard"), word("thread_level"), word("io"));
    text += fmt::format("launcher     {}{}{}\n", word("launcher"), word("batch_job").empty() ? "" : ", ",
                        word("batch_job"));
    const auto& transport = mpi["transport"];
    const std::string in_use = transport["in_use"];
    text += fmt::format("messages     {}; a rank that waits {}\n",
                        in_use.empty() ? "the library does not tell" : in_use,
                        mpi["waits_busily"] ? "keeps its core busy" : "gives its core away");
    for (const auto& [name, value] : transport["settings"].items())
        text += fmt::format("             {}={}\n", name, value.get<std::string>());
    const auto& features = mpi["features"];
    text += fmt::format(
        "             first ones {:.1f} ms, the same again {:.3f} ms\n"
        "features     shared windows: {}; counts above 2^31: {}; memory of GPUs: {}\n",
        1e3 * mpi["first_messages_seconds"].get<double>(), 1e3 * mpi["later_messages_seconds"].get<double>(),
        features["shared_windows"] ? "yes" : "no", features["large_counts"] ? "yes" : "no",
        features["gpu_memory"] ? "yes" : "no");
    return text;
}

// -1 where the machine has but one, or does not say.
int memory_node_of(const std::string& bus) {
    std::ifstream file("/sys/bus/pci/devices/" + bus + "/numa_node");
    int node = -1;
    return file >> node ? node : -1;
}

// GPUs of this process's host, with the memory node and the network adapters that each is next to: one object for each, or why there are none.
// Not collective.
nlohmann::json look_at_gpus() {
    const exec::CudaReport report = exec::look_at_cuda_devices();
    nlohmann::json gpus = nlohmann::json::array();
    for (const exec::CudaFacts& gpu : report.gpus)
        gpus.push_back({{"name", gpu.name},
                        {"capability", gpu.capability},
                        {"memory_bytes", gpu.memory_bytes},
                        {"free_bytes", gpu.free_bytes},
                        {"memory_node", memory_node_of(gpu.bus)},
                        {"network", parallel::nearest_adapters(gpu.bus)}});
    return {{"gpus", gpus}, {"driver", report.driver}, {"why_none", report.why}};
}

// The same for people, in lines.
std::string describe_gpus(const nlohmann::json& found) {
    std::string text;
    for (const nlohmann::json& gpu : found.at("gpus")) {
        const int node = gpu.at("memory_node");
        const auto network = gpu.at("network").get<std::vector<std::string>>();
        text += fmt::format(
            "GPU          {}, capability {}, {:.1f} of {:.1f} GiB free, driver for CUDA {}{}{}\n",
            gpu.at("name").get<std::string>(), gpu.at("capability").get<std::string>(),
            gpu.at("free_bytes").get<double>() / (1 << 30), gpu.at("memory_bytes").get<double>() / (1 << 30),
            found.at("driver").get<std::string>(),
            node >= 0 ? fmt::format(", next to memory node {}", node) : "",
            network.empty() ? "" : fmt::format(", nearest network adapter {}", fmt::join(network, ", ")));
    }
    if (text.empty()) text = fmt::format("GPU          none: {}\n", found.at("why_none").get<std::string>());
    return text;
}

struct DoctorOptions {
    int threads = 1;
    std::string folder = ".", json, servers;
    std::vector<std::string> free_cores;
    bool no_speed = false;
};

// What the launcher set for the processes that it started.
std::vector<Problem> check_launch(int size) {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
        const std::string said = parallel::environment_variable(name);
        if (!said.empty() && std::atoi(said.c_str()) > 1 && size == 1)
            return {{"separate-runs",
                     fmt::format("the launcher started {} processes, but each believes it is alone", said),
                     "start with the mpirun of the MPI library that this program was built with"}};
    }
    return {};
}

// As in a case file: one word that is not a list of cores for several ranks is "auto" or a number.
parallel::FreeCores free_cores(const DoctorOptions& options) {
    const std::vector<std::string>& words = options.free_cores;
    if (words.empty()) return {};
    const bool is_number = words.size() == 1 && words[0].find_first_not_of("0123456789") == std::string::npos;
    return parallel::read_free_cores(words, !is_number && words[0] != "auto", "command line", "--free-cores");
}

// Those that a run could ask for here: a writer thread needs an MPI library that several threads may call.
std::vector<std::string> possible_output_modes(const parallel::Environment& environment) {
    std::vector<std::string> modes = output::output_modes();
    if (environment.thread_level() != parallel::ThreadLevel::multiple) std::erase(modes, "thread");
    return modes;
}

std::string describe(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems)
        text += fmt::format("problem      {}: {}\n             fix: {}\n", problem.code, problem.message,
                            problem.fix);
    return problems.empty() ? "no problems found\n" : text;
}

int doctor(const parallel::Environment& environment, const DoctorOptions& options) {
    const MPI_Comm comm = environment.comm();
    const parallel::FirstMessages messages = time_first_messages(comm);
    const bool first = environment.rank() == 0;
    const PlannedRun plan{options.threads, options.servers,
                          parallel::agree(comm, [&] { return free_cores(options); })};
    parallel::agree(comm, [&] {
        if (first) simulation::check_json_target(options.json);
    });
    const parallel::Placement placement = parallel::find_placement(comm);
    const MachineReport machines = look_at_machines(comm, plan);
    nlohmann::json mpi = look_at_mpi(comm, environment, messages);
    const FolderReport folder = look_at_folder(comm, placement, options.folder);
    const SpeedReport speed = look_at_speed(comm, exec::threads(), !options.no_speed);
    nlohmann::json report = simulation::json_report("doctor", comm, options.threads, nullptr);
    const int answer = parallel::agree(comm, [&] {
        if (!first) return 0;
        std::vector<Problem> problems = machines.findings;
        for (const auto& more : {check_launch(environment.size()), problems_of(folder), speed.findings})
            problems.insert(problems.end(), more.begin(), more.end());
        const auto slow = parallel::judge_connections(messages, parallel::find_launcher(parallel::library()));
        if (slow) problems.push_back(*slow);
        parallel::sort_by_cost(problems);
        const std::vector<std::string> modes = possible_output_modes(environment);
        mpi["io"] = folder.mpi_io;
        const nlohmann::json gpus = look_at_gpus();
        report["result"] = {{"mpi", mpi},
                            {"ranks", machines.ranks},
                            {"hosts", machines.hosts},
                            {"gpu", gpus},
                            {"file_system", to_json(folder)},
                            {"output_modes", modes},
                            {"speed", to_json(speed)},
                            {"problems", simulation::findings_json(problems)}};
        if (options.json != "-")
            std::cout << fmt::format("processor    {}\n{}{}hosts        {}{}\n{}{}output       {}\n{}{}",
                                     simulation::cpu_name(), describe_gpus(gpus), describe_mpi(mpi),
                                     placement.hosts, placement.pretended ? " (pretended)" : "",
                                     describe_machines(machines), describe(folder), fmt::join(modes, ", "),
                                     describe(speed), describe(problems))
                      << std::flush;
        if (!options.json.empty()) simulation::write_json(options.json, report);
        return problems.empty() ? 0 : static_cast<int>(base::ExitCode::negative);
    });
    return static_cast<int>(parallel::max(comm, std::int64_t{answer}));
}

}  // namespace

Action add_doctor(simulation::Command command) {
    auto options = std::make_shared<DoctorOptions>();
    command.footer(
        "Example: mpirun -n 4 groundswell doctor --threads 2\nExit code 1 when something is wrong. What this "
        "machine can do at best is stored for runs, in\n~/.cache/groundswell/limits.json.");
    command.option("--threads", options->threads, "threads that each rank will have").above_zero();
    command.option("--servers", options->servers, "output servers among the ranks, as output.servers");
    command
        .option("--free-cores", options->free_cores,
                "cores to be kept free, as run.free_cores: a number, or those of each rank of a host")
        .type_name("CORES");
    command.option("--folder,--output", options->folder, "where output will go").type_name("DIR");
    command.flag(
        "--no-speed", options->no_speed,
        "measure neither what this machine can do nor the models' kernels, which takes some seconds");
    simulation::add_json_option(command, options->json);
    return [options] {
        // The most is asked for, to tell what a run may have.
        const parallel::Environment environment(parallel::ThreadLevel::multiple,
                                                parallel::ThreadLevel::funneled);
        return parallel::run_to_exit_code(environment.comm(), [&] { return doctor(environment, *options); });
    };
}

}  // namespace groundswell::cli
