#pragma once

#include <mpi.h>

#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/environment.hpp"

/// Features that work in a folder, found by trying them with small files that are removed again.
namespace groundswell::output {

struct FolderAbilities {
    std::string trouble;        ///< why no file can be made there, in the system's words; empty: it can
    bool reserves = false;      ///< fallocate(2) sets room aside before a record is begun
    bool flock = false;         ///< whole-file locks, which keep a second run out
    bool record_locks = false;  ///< fcntl(2) locks, which MPI-IO needs on NFS
    bool direct = false;        ///< O_DIRECT, past the page cache
};

/// On the calling rank. Does not throw.
FolderAbilities probe_folder(const std::string& folder);

/// The part of the MPI library that reads and writes files on a file system of this type: "ompio", "romio",
/// or what the setting names ("romio321"). MPICH and what descends from it have ROMIO alone. Open MPI has
/// both: `setting` is its parameter `io`, a list of names or, after a ^, of those that are not wanted;
/// without it OMPIO comes first, but before version 5 not on Lustre (open-mpi.org, FAQ "Tuning the OMPIO
/// parallel I/O component").
std::string mpi_io_layer(const parallel::Library& library, std::string_view setting, std::string_view type);

/// Rank 0 makes a file in its `folder`; for each rank whether it finds that very file in the folder of the
/// same name: on rank 0, empty on the others, and empty everywhere if rank 0 cannot make it. Collective.
std::vector<char> ranks_that_share(MPI_Comm comm, const std::string& folder);

}  // namespace groundswell::output
