#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/environment.hpp"

/// The launcher that started the ranks, and its options for starting them differently.
namespace groundswell::parallel {

/// The value of a control variable of the library (MPI_T), as text; empty where there is none of the name. MPI must run.
std::string mpi_variable(const char* name);

/// The layers that carry messages.
struct MpiTransport {
    /// Open MPI: "pml ob1, btl vader, self, tcp"; MPICH: "ch4:ucx"; Intel MPI: its provider. Empty: the library does not tell.
    std::string in_use;
    std::map<std::string, std::string> settings;  ///< variables that have a say, as far as they are set
};

/// Transport that MPI uses in this process. MPI must be initialised.
MpiTransport mpi_transport();

/// `maps`: what /proc/self/maps says: Open MPI keeps loaded, of its plug-ins for messages, those that it took.
std::string open_mpi_components(std::string_view maps);

/// `text`: of MPI_Get_library_version. MPICH names its device there.
std::string mpich_device(std::string_view text);

/// The launcher that started this process.
enum class Starter { none, open_mpi, hydra, intel, slurm };

/// A launcher, and the MPI library that the ranks speak through it.
struct Launcher {
    Starter starter = Starter::none;
    std::string mpi = {};      ///< name of the library
    std::string version = {};  ///< of the library
    std::string batch = {};    ///< "Slurm job 4711"; empty: no batch system

    /// The one in whose words to speak: where nobody started the ranks, the library's own.
    Starter tongue() const;
    /// "mpirun of Open MPI", for people.
    std::string name() const;
};

/// Value of an environment variable; empty where it is not set.
using Variables = std::function<std::string(const char*)>;
std::string environment_variable(const char* name);

/// From the variables that launchers set for the processes that they start: the manual pages of mpirun (Open MPI), Hydra,
/// Intel MPI and srun.
Launcher find_launcher(const Library& library, const Variables& variable = &environment_variable);

/// Each rank on so many cores.
std::string bind_option(const Launcher& launcher, int cores);
/// Each rank inside a NUMA domain, on so many of its cores.
std::string domain_option(const Launcher& launcher, int cores);
/// One host filled after the other.
std::string block_option(const Launcher& launcher);
/// A rank that waits gives its core away; empty: this library cannot.
std::string yield_option(const Launcher& launcher);
/// Connections are made when MPI starts; empty: this library has no such setting.
std::string connect_option(const Launcher& launcher);
/// MPI-IO by ROMIO in place of OMPIO; for Open MPI.
std::string romio_option(const Launcher& launcher);

/// Whether a rank that waits keeps its core busy.
bool spins_while_waiting(const Launcher& launcher, const Variables& variable = &environment_variable);

}  // namespace groundswell::parallel
