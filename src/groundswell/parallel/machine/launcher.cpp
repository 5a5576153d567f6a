#include "groundswell/parallel/machine/launcher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace groundswell::parallel {

namespace {

constexpr const char* open_mpi = "Open MPI";
constexpr const char* intel = "Intel(R) MPI";
constexpr const char* cray = "CRAY MPICH";

/// A launcher for people, and its options; {} stands for cores.
struct Words {
    Starter starter;
    const char *name, *bind, *domain, *block;
};
constexpr Words all_words[] = {
    {Starter::open_mpi, "mpirun of Open MPI", "mpirun --map-by slot:PE={} --bind-to core",
     "mpirun --map-by numa:PE={} --bind-to core", "mpirun --map-by core"},
    {Starter::hydra, "mpiexec of MPICH (Hydra)", "mpiexec -bind-to core:{}",
     "mpiexec -map-by numa -bind-to numa", "mpiexec -ppn N with N ranks a host"},
    {Starter::intel, "mpirun of Intel MPI (Hydra)", "mpirun -genv I_MPI_PIN_DOMAIN={}",
     "mpirun -genv I_MPI_PIN_DOMAIN=numa", "mpirun -ppn N with N ranks a host"},
    {Starter::slurm, "srun", "srun --cpus-per-task={} --cpu-bind=cores",
     "srun --cpus-per-task={} --cpu-bind=ldoms", "srun --distribution=block"}};

const Words& words_of(Starter starter) {
    return *std::ranges::find(all_words, starter, &Words::starter);
}

// An MCA parameter where mpirun takes it, or in the environment, where every launcher passes it on.
std::string mca(const Launcher& launcher, const std::string& name, const std::string& value) {
    return launcher.tongue() == Starter::open_mpi ? fmt::format("mpirun --mca {} {}", name, value)
                                                  : fmt::format("export OMPI_MCA_{}={}", name, value);
}

std::string batch_job(const Variables& variable) {
    for (const auto& [name, system] : {std::pair{"SLURM_JOB_ID", "Slurm"},
                                       {"PBS_JOBID", "PBS"},
                                       {"LSB_JOBID", "LSF"},
                                       {"COBALT_JOBID", "Cobalt"}})
        if (const std::string job = variable(name); !job.empty())
            return fmt::format("{} job {}", system, job);
    return "";
}

std::string read_variable(MPI_T_cvar_handle handle, MPI_Datatype type, int count) {
    if (type == MPI_CHAR) {
        std::vector<char> text(static_cast<std::size_t>(std::max(count, 0)) + 1, '\0');
        return MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS ? text.data() : "";
    }
    // Whole numbers of any length, little end first as on all machines that we build for.
    int bytes = 0;
    if (count != 1 || MPI_Type_size(type, &bytes) != MPI_SUCCESS || type == MPI_DOUBLE || bytes > 8)
        return "";
    long long value = 0;
    return MPI_T_cvar_read(handle, &value) == MPI_SUCCESS ? std::to_string(value) : "";
}

std::string environment_settings(MpiTransport& transport) {
    std::string provider;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line = *entry;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, equals);
        for (const char* prefix :
             {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "OMPI_MCA_osc", "OMPI_MCA_coll", "UCX_TLS",
              "UCX_NET_DEVICES", "FI_", "I_MPI_FABRICS", "I_MPI_OFI", "MPIR_CVAR_", "MPICH_"})
            if (name.starts_with(prefix))
                transport.settings[std::string(name)] = std::string(line.substr(equals + 1));
        if (name == "FI_PROVIDER" || name == "I_MPI_OFI_PROVIDER")
            provider = fmt::format("provider {}", line.substr(equals + 1));
    }
    return provider;
}

}  // namespace

std::string environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

Starter Launcher::tongue() const {
    if (starter != Starter::none) return starter;
    if (mpi == open_mpi) return Starter::open_mpi;
    if (mpi == intel) return Starter::intel;
    return mpi == "MPICH" || mpi == "MVAPICH2" ? Starter::hydra : Starter::slurm;
}

std::string Launcher::name() const {
    return starter == Starter::none ? "none" : words_of(starter).name;
}

Launcher find_launcher(const Library& library, const Variables& variable) {
    Launcher launcher{Starter::none, library.name, library.version, batch_job(variable)};
    const auto is_set = [&](const char* name) { return !variable(name).empty(); };
    // The others may themselves have been started by srun, whose variables they then hand down.
    if (is_set("OMPI_COMM_WORLD_SIZE") &&
        (is_set("OMPI_MCA_orte_launch") || is_set("PRTE_LAUNCHED") || is_set("OMPI_UNIVERSE_SIZE")))
        launcher.starter = Starter::open_mpi;
    else if (is_set("MPI_LOCALNRANKS") || is_set("HYDI_CONTROL_FD"))
        launcher.starter = library.name == intel ? Starter::intel : Starter::hydra;
    else if (is_set("SLURM_STEP_ID") && is_set("SLURM_PROCID"))
        launcher.starter = Starter::slurm;
    return launcher;
}

std::string bind_option(const Launcher& launcher, int cores) {
    if (launcher.tongue() == Starter::open_mpi && cores == 1) return "mpirun --map-by core --bind-to core";
    return fmt::format(fmt::runtime(words_of(launcher.tongue()).bind), cores);
}

std::string domain_option(const Launcher& launcher, int cores) {
    return fmt::format(fmt::runtime(words_of(launcher.tongue()).domain), cores);
}

std::string block_option(const Launcher& launcher) {
    return words_of(launcher.tongue()).block;
}

std::string yield_option(const Launcher& launcher) {
    if (launcher.mpi == open_mpi) return mca(launcher, "mpi_yield_when_idle", "1");
    if (launcher.mpi == intel) return "export I_MPI_THREAD_YIELD=3";
    return "";
}

std::string connect_option(const Launcher& launcher) {
    if (launcher.mpi == open_mpi) return mca(launcher, "mpi_preconnect_mpi", "1");
    if (launcher.mpi == intel) return "export I_MPI_DYNAMIC_CONNECTION=0";
    if (launcher.mpi == cray) return "export MPICH_OFI_STARTUP_CONNECT=1";
    return "";
}

std::string romio_option(const Launcher& launcher) {
    return mca(launcher, "io", std::atoi(launcher.version.c_str()) >= 5 ? "romio341" : "romio321");
}

bool spins_while_waiting(const Launcher& launcher, const Variables& variable) {
    if (launcher.mpi == open_mpi) {
        // mpirun sets the second where it knows of more ranks than cores, and the first has the last word.
        std::string yields = variable("OMPI_MCA_mpi_yield_when_idle");
        if (yields.empty()) yields = variable("OMPI_MCA_mpi_oversubscribe");
        return yields != "1" && yields != "true";
    }
    if (launcher.mpi == intel) {
        const std::string yields = variable("I_MPI_THREAD_YIELD");
        return (yields.empty() || yields == "0") && variable("I_MPI_WAIT_MODE").empty();
    }
    return true;
}

std::string mpi_variable(const char* name) {
    std::string value;
    int level = MPI_THREAD_SINGLE, given = 0, index = 0, count = 0;
    MPI_Query_thread(&level);  // Open MPI takes what is asked for here for the whole process
    if (MPI_T_init_thread(level, &given) != MPI_SUCCESS) return value;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
        int length = 0, verbosity = 0, binding = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum kinds = MPI_T_ENUM_NULL;
        MPI_T_cvar_get_info(index, nullptr, &length, &verbosity, &type, &kinds, nullptr, &length, &binding,
                            &scope);
        value = read_variable(handle, type, count);
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return value;
}

std::string open_mpi_components(std::string_view maps) {
    std::string text;
    for (const std::string_view framework : {"pml", "mtl", "btl"}) {
        const std::string prefix = fmt::format("/mca_{}_", framework);
        std::set<std::string> names;
        for (std::size_t at = maps.find(prefix); at != std::string_view::npos;
             at = maps.find(prefix, at + 1)) {
            const std::size_t begin = at + prefix.size(), end = maps.find(".so", begin);
            if (end != std::string_view::npos) names.emplace(maps.substr(begin, end - begin));
        }
        if (!names.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", framework, fmt::join(names, ", "));
    }
    return text;
}

std::string mpich_device(std::string_view text) {
    constexpr std::string_view before = "MPICH Device:";
    const std::size_t found = text.find(before);
    if (found == std::string_view::npos) return "";
    const std::size_t begin = text.find_first_not_of(" \t", found + before.size());
    return begin == std::string_view::npos
               ? ""
               : std::string(text.substr(begin, text.find_first_of(" \t\n", begin) - begin));
}

MpiTransport mpi_transport() {
    MpiTransport transport;
    const std::string provider = environment_settings(transport);
    char buffer[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(buffer, &length);
    transport.in_use = mpich_device({buffer, static_cast<std::size_t>(length)});
    if (library().name == "Open MPI") {
        std::ifstream maps("/proc/self/maps");
        transport.in_use = open_mpi_components(std::string(std::istreambuf_iterator<char>(maps), {}));
    }
    if (!provider.empty()) transport.in_use += (transport.in_use.empty() ? "" : ", ") + provider;
    return transport;
}

}  // namespace groundswell::parallel
