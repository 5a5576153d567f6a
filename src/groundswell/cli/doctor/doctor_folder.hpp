#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/output/disk/file_system.hpp"
#include "groundswell/output/disk/file_system_advice.hpp"
#include "groundswell/output/disk/folder_probe.hpp"
#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/placement.hpp"

/// Findings of `doctor` about the folder that output will go to.
namespace groundswell::cli {

using Problem = parallel::Finding;

/// The ranks of one host whose folder of this name is not rank 0's.
struct OtherFolder {
    std::string host;
    int ranks = 0;
    std::string type;  ///< of the file system that they see; empty: no such folder
};

struct FolderReport {
    std::string asked;                        ///< as the user wrote it
    std::optional<output::FileSystem> found;  ///< none: there is no such folder
    output::FolderAbilities able;
    std::string mpi_io;  ///< ompio, romio or the like
    int hosts = 1;
    std::optional<std::vector<OtherFolder>> strangers;  ///< empty: all ranks share it; none: not found out
    output::Advice advice;
};

/// On rank 0; empty on the others. Collective.
FolderReport look_at_folder(MPI_Comm comm, const parallel::Placement& placement, const std::string& folder);

std::vector<Problem> problems_of(const FolderReport& report);
nlohmann::json to_json(const FolderReport& report);

/// For people: one line for each thing found out, then the hints as they are pasted into a case file.
std::string describe(const FolderReport& report);

}  // namespace groundswell::cli
