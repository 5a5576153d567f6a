#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/output/writers/job.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"
#include "groundswell/sea/wind/options.hpp"
#include "groundswell/simulation/case/case_file.hpp"

/// A case of the wave model: one plain struct for each section of the case file. Read once, passed by const
/// reference.
namespace groundswell::sea {

struct TimeSection {
    base::Instant start, end;
    std::optional<base::Duration> step;         ///< empty: the longest stable one
    std::optional<base::Duration> source_step;  ///< empty: automatic
};

struct MeshSection {
    std::string file;
    std::string partition = "two-level";
    bool map_to_hosts = true;             ///< plain parts go to ranks such that neighbours share hosts
    double imbalance = 0.02;              ///< relative to the mean part
    std::optional<double> uniform_depth;  ///< m, in place of the mesh file's bottomDepth
};

struct SpectrumSection {
    int directions = 36;
    int frequencies = 35;
    double first_frequency = 0.0;  ///< Hz
    double ratio = 0.0;
};

enum class InitialState { wind_sea, calm, swell, restart };

struct InitialSection {
    InitialState state = InitialState::wind_sea;
    double fetch = 0.0;  ///< m, of the wind sea
    ParametricSea swell;
    double lon = 0.0, lat = 0.0;  ///< degrees, centre of the swell
    double radius = 0.0;          ///< m, of the Gaussian blob (one standard deviation of Hs); 0: everywhere
    std::string file;             ///< restart of an earlier run, whose time is this run's start
};

/// Cells whose spectrum is held at a given sea: a wave maker at an open boundary.
struct WaveMakerSection {
    std::vector<double> region;  ///< degrees: west, east, south, north
    ParametricSea sea;
};

/// What pushes messages along while cells are computed.
enum class Progress {
    none,     ///< nothing: what the MPI library does by itself
    polling,  ///< the computation itself, now and then
    thread,   ///< a communication thread
};
std::string_view name(Progress progress);

/// Which directions of a halo cell travel.
enum class HaloDirections {
    automatic,  ///< all or those needed, whichever was faster at the start
    all,
    needed,  ///< those that the receiver uses; the same as all where its scheme uses all
};

struct HaloSection {
    std::string transport = "auto";
    Progress progress = Progress::none;
    /// Core of the communication thread of the first rank on each host, of the second, …; empty: found.
    std::vector<int> thread_cores;
    HaloDirections directions = HaloDirections::automatic;
    bool reorder = false;  ///< let the MPI library give processes new ranks
};

struct MapSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;
};

/// Time series at points: of fields, or of whole spectra (WW3 layout), each kind in files of its own.
struct PointsSection {
    std::string file;
    base::Duration every;
    std::vector<std::pair<double, double>> at;  ///< degrees
    std::vector<std::string> names;             ///< one per point
    std::vector<std::string> fields;            ///< empty: spectra
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
    std::vector<int> thread_cores;
    std::vector<MapSection> maps;
    std::vector<PointsSection> points;
    std::optional<base::Duration> restart_every;
    int restart_keep = 2;  ///< 0: all
};

struct Case {
    std::string file;  ///< of the case
    std::string text;  ///< of the case file and its overrides, as stored in output files
    std::string title;
    TimeSection time;
    MeshSection mesh;
    SpectrumSection spectrum;
    std::vector<WindOptions> wind;
    InitialSection initial;
    std::vector<WaveMakerSection> wave_makers;
    PhysicsOptions physics;
    PropagationOptions propagation;
    bool propagates = true;  ///< false: every cell is a model of its own
    double courant = 0.0;    ///< share of the longest stable step that an automatic step may use
    HaloSection halo;
    int threads = 1;
    OutputSection output;
};

/// What the command line adds to a case file.
struct CaseOverrides {
    std::vector<std::string> set;  ///< "key=value"
    std::string output_folder;     ///< empty: output/ beside the case file
};

/// Reads and checks a case: throws base::Refusal for the first key that cannot be used. Reads no other file.
/// Not collective. `keys`, if given, receives every key with the value it took.
Case read_case(const std::string& file, const CaseOverrides& overrides,
               std::vector<simulation::KeyRecord>* keys = nullptr);

/// Every file that a run of this case reads, but for a restart to continue from.
std::vector<std::string> input_files(const Case& run);

/// Every key that a case may have, from the very code that reads one.
std::vector<simulation::KeyRecord> describe_case();

}  // namespace groundswell::sea
