#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/environment.hpp"

/// Settings of the MPI library, as it reports them.
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

}  // namespace groundswell::parallel
