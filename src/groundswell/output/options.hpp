#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/output/storage.hpp"

/// Options of a run's output, and its cost.
namespace groundswell::output {

/// Action of the writers when a write fails.
enum class OnError {
    stop,  ///< nothing more is written; what is complete stays
    drop,  ///< this file is given up, the run goes on
    retry  ///< errors that may pass are tried again with growing pauses, then stop
};

/// Names by which the user knows options, in refusals and warnings.
struct OptionNames {
    std::string mode = "mode", buffer = "buffer_bytes", compression = "compression", hints = "hints";
    std::string servers = "split_roles()";  ///< what sets servers apart
};

struct OutputOptions {
    std::string mode = "auto";
    std::string backend = "auto";  ///< of thread and servers: direct, serial or auto, as in FileOptions
    /// Bytes of values that may wait on each rank; 0: what was announced, at least 1 MiB.
    std::int64_t buffer_bytes = 0;
    OnError on_error = OnError::stop;
    double first_pause = 1.0;     ///< s, see WriterOptions
    double longest_wait = 600.0;  ///< s, see WriterOptions
    double silence = 60.0;        ///< s after which a writer that gives no sign is named in a warning
    /// Storage of all files but those made by replace(), which are CDF-5: written to be read once.
    Storage storage = {};
    bool checksums = false;                    ///< store checksums (checksum.hpp) in every file
    std::map<std::string, std::string> hints;  ///< for MPI-IO and PnetCDF
    std::optional<int> writer_cpu;             ///< where the writer thread runs; none: where the caller may
    bool cores_for_all = true;  ///< every thread that computes has a core, so that a writer thread can wait
    std::string where = "output";  ///< where the options come from (a case file), for refusals
    OptionNames names = {};
};

/// Cost of one file, or of all those that replace() made together, which have no path here.
struct FileCost {
    std::string path;
    std::int64_t records = 0, bytes = 0;  ///< as in OutputReport
    double blocked_seconds = 0.0;         ///< the front end: this rank in calls for it
    double writing_seconds = 0.0;         ///< the back end: a writer at it
};

/// Work of the writers so far.
struct WriterWork {
    std::int64_t records = 0;             ///< whole ones on the disk, all files together
    std::int64_t bytes = 0;               ///< of values on the disk
    double writing_seconds = 0.0;         ///< of a writer, behind the calls or within them
    double setup_seconds = 0.0;           ///< of them, to find out which rows go where
    double idle_seconds = 0.0;            ///< of a server, waiting for values
    double idle_queue_seconds = 0.0;      ///< of them, ready to run and without a core
    double idle_processor_seconds = 0.0;  ///< of them, on a core: next to nothing unless it spins
};

/// Cost of this rank's output so far.
struct OutputReport : WriterWork {
    std::string mode;  ///< at work: of auto, direct or thread (or serial where the build has no PnetCDF)
    double blocked_seconds = 0.0;   ///< that this rank spent in the calls of the output, all but finish()
    double waited_seconds = 0.0;    ///< of them, waiting for room in the buffer
    std::int64_t waits = 0;         ///< calls that did
    double finish_seconds = 0.0;    ///< in finish(): what was still to be written
    std::int64_t buffer_bytes = 0;  ///< the bound
    std::int64_t most_bytes = 0;    ///< most that waited at a time
    std::vector<FileCost> files;    ///< in the order of their paths
    int server = -1;                ///< that takes what this rank hands over, by its rank among all; -1: none
    std::string host, server_host;  ///< where this rank and that are, with servers
    std::vector<std::string> given_up;  ///< why, for each file that on_error = drop cost
    std::string newest;                 ///< last file of replace() that has its name; empty: none yet
    std::string failure;                ///< what stopped the writers, as far as this rank knows; else empty
};

/// The modes of an output that this build offers for this format; "auto" is one of them.
std::vector<std::string> output_modes(Format format = Format::cdf5);

}  // namespace groundswell::output
