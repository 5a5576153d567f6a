#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/output/options.hpp"
#include "groundswell/output/storage.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/simulation/case_file.hpp"

/// Sections that the case of every model has: one plain struct for each section of the case file, and the functions that
/// read them. A model derives its own case from `Case`.
namespace groundswell::simulation {

struct TimeSection {
    base::Instant start, end;
    std::optional<base::Duration> step;  ///< empty: the longest stable one
    bool has_date = true;                ///< false: time is counted from 0 at the start
};

/// Fields on all cells.
struct MapSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;
    std::string statistic =
        "point";  ///< of the time between records: "point", of the moment, or one of MapFields::statistics
};

struct OutputSection {
    std::string folder;
    std::string mode = "auto";
    std::string servers = "1";      ///< a number of ranks or a share of them, as written
    std::int64_t buffer_bytes = 0;  ///< 0: automatic
    output::OnError on_error = output::OnError::stop;
    base::Duration longest_wait;  ///< of on_error = retry
    base::Duration silence;       ///< of a writer, before a warning
    output::Storage storage;      ///< of maps, series and spectra
    bool checksums = false;
    std::map<std::string, std::string> hints;
    std::vector<MapSection> maps;
    std::optional<base::Duration> restart_every;
    int restart_keep = 2;  ///< 0: all
    bool restart_checksums = true;
};

/// Something that must fall on the end of a cycle.
struct Interval {
    std::string key;  ///< of the case file
    base::Duration length;
    std::string of;    ///< which file's, for people
    std::string file;  ///< name of the output file whose records these are; empty where there is none
};

/// A case that was read. Passed by const reference; must outlive the model that is made of it.
struct Case {
    std::string model;  ///< name of its kind
    std::string file;   ///< of the case
    std::string text;   ///< of the case file and its overrides, as stored in output files
    std::string title;
    TimeSection time;
    OutputSection output;
    int threads = 1;
    bool on_gpu = false;         ///< GPUs compute, and else processors
    int ranks_of_gpu = 1;        ///< of one host that a GPU may have
    bool launch_graphs = false;  ///< a GPU is asked for small launches by graphs
    parallel::FreeCores free_cores;
    /// A restart file of an earlier run, at whose time this run starts; empty: none.
    std::string initial_restart;
    /// Some thread besides the main one calls MPI.
    bool wants_all_threads_in_mpi = false;

    virtual ~Case() = default;
    /// Everything that must fall on the end of a cycle; a model with streams of its own adds theirs.
    virtual std::vector<Interval> intervals() const;
    /// Every file that a run of this case reads, but for a restart to continue from.
    virtual std::vector<std::string> input_files() const;
    /// Describes input files, a line each, as far as it is known without a mesh: for --explain. Reads them, and refuses what is
    /// not sound. Not collective.
    virtual std::vector<std::string> about_input() const { return {}; }
};

/// Additions of the command line to a case file.
struct CaseOverrides {
    std::vector<std::string> set;  ///< "key=value"
    std::string output_folder;     ///< empty: output/ beside the case file
};

/// The section [time]. `step`: what the model's step is, for people. `has_date` false: no key start, and end is
/// a duration.
TimeSection read_time(const Section& section, const KeyText& step, bool has_date = true);

/// Names of output files, of which no two may be equal.
class StreamNames {
public:
    /// The key `file` of an entry that describes an output file; refuses what cannot be one.
    std::string read(const Section& entry);
    /// The key `every` of such an entry.
    static base::Duration read_every(const Section& entry);

private:
    std::vector<std::string> taken_;
};

/// The names that `output.map[].fields` takes, those it takes by default, and the words of `output.map[].statistic` where a model has
/// that key.
struct MapFields {
    std::vector<std::string> known, usual, statistics = {};
};

/// The section [output], with maps and restarts. `folder`: of the command line, or empty for output/ beside the
/// case file. `more` reads what a model has besides.
OutputSection read_output(const Section& section, const CaseReader& reader, const std::string& folder,
                          const MapFields& fields,
                          const std::function<void(const Section&, StreamNames&)>& more = {});

/// The section [halo] of a model whose ranks exchange by halo::Exchanges; notes in `run` what it asks of MPI.
halo::ExchangeOptions read_halo(const Section& section, Case& run);

/// Fills what every case has but time and output: title, text, file, and the section [run].
void read_common(const CaseReader& reader, Case& run);

}  // namespace groundswell::simulation
