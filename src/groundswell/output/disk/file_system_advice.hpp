#pragma once

#include <string>
#include <vector>

#include "groundswell/output/disk/file_system.hpp"

/// Settings worth trying on a file system: hints for [output.hints], and what is set by other means. A pure
/// function of what was found, so that it can be read and tested for file systems that are not at hand.
///
/// Sources: ROMIO's user guide, "MPI hints" and "Lustre" (Latham, Ross, Thakur; Argonne ANL/MCS-TM-234);
/// PnetCDF's C interface guide, "PNETCDF_HINTS"; Lustre wiki, "Lustre Striping Best Practices"; BeeGFS
/// manual, "Striping"; Ceph manual, "File layouts"; nfs(5).
///
/// The values of a record are written by each rank as one contiguous block per variable, not by collective
/// calls of MPI-IO: hints of collective buffering (cb_nodes, cb_buffer_size, romio_cb_write) and of data
/// sieving (romio_ds_write) therefore change nothing, and none is offered.
namespace groundswell::output {

struct Hint {
    std::string key, value;  ///< of [output.hints]
    std::string why;         ///< a few words, as they may stand behind the value
};

struct Advice {
    std::vector<Hint> hints;
    std::vector<std::string> notes;  ///< one sentence each, with the command or the setting
};

/// `hosts`: on which the run has ranks.
Advice advise(const FileSystem& found, int hosts);

/// The lines of the hints as they are pasted into a case file; empty without hints.
std::string case_file_lines(const Advice& advice);

}  // namespace groundswell::output
