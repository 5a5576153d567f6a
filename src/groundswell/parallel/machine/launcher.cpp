#include "groundswell/parallel/machine/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace groundswell::parallel {

namespace {

constexpr const char* open_mpi = "Open MPI";
constexpr const char* intel = "Intel(R) MPI";
constexpr const char* cray = "CRAY MPICH";

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
    switch (starter) {
        case Starter::open_mpi:
            return "mpirun of Open MPI";
        case Starter::hydra:
            return "mpiexec of MPICH (Hydra)";
        case Starter::intel:
            return "mpirun of Intel MPI (Hydra)";
        case Starter::slurm:
            return "srun";
        case Starter::none:
            break;
    }
    return "none";
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
    switch (launcher.tongue()) {
        case Starter::open_mpi:
            return cores == 1 ? "mpirun --map-by core --bind-to core"
                              : fmt::format("mpirun --map-by slot:PE={} --bind-to core", cores);
        case Starter::hydra:
            return fmt::format("mpiexec -bind-to core:{}", cores);
        case Starter::intel:
            return fmt::format("mpirun -genv I_MPI_PIN_DOMAIN={}", cores);
        default:
            return fmt::format("srun --cpus-per-task={} --cpu-bind=cores", cores);
    }
}

std::string domain_option(const Launcher& launcher, int cores) {
    switch (launcher.tongue()) {
        case Starter::open_mpi:
            return fmt::format("mpirun --map-by numa:PE={} --bind-to core", cores);
        case Starter::hydra:
            return "mpiexec -map-by numa -bind-to numa";
        case Starter::intel:
            return "mpirun -genv I_MPI_PIN_DOMAIN=numa";
        default:
            return fmt::format("srun --cpus-per-task={} --cpu-bind=ldoms", cores);
    }
}

std::string block_option(const Launcher& launcher) {
    switch (launcher.tongue()) {
        case Starter::open_mpi:
            return "mpirun --map-by core";
        case Starter::hydra:
            return "mpiexec -ppn N with N ranks a host";
        case Starter::intel:
            return "mpirun -ppn N with N ranks a host";
        default:
            return "srun --distribution=block";
    }
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

}  // namespace groundswell::parallel
