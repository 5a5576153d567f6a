#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/mesh/tetra/box.hpp"
#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/case/places.hpp"
#include "groundswell/quake/case/stations/stations.hpp"
#include "groundswell/quake/clusters.hpp"
#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/rock/rock.hpp"
#include "groundswell/quake/source/point_source.hpp"
#include "groundswell/quake/source/rupture/plane.hpp"
#include "groundswell/simulation/case.hpp"

/// A case of the earthquake model: one plain struct for each section of the case file. Read once, passed by const
/// reference.
namespace groundswell::quake {

/// A file, or a box that is known by arithmetic.
struct MeshSection {
    std::string file;
    std::optional<tetra::BoxOptions> box;
    double join = 0.0;     ///< vertices of the file no farther apart are one, m; 0: none are
    bool unusual = false;  ///< a size that no earthquake has is meant

    /// For people.
    std::string name() const { return box ? "mesh.box" : file; }
};

struct SolverSection {
    int order = 4;
    std::string precision = "double";
    StepLimit step;
    int rate = 2;                 ///< between clusters; 1: one step for all
    std::optional<double> scale;  ///< of the step of the finest cluster; empty: what costs least
    int clusters = 64;            ///< at most
};

/// A plane wave that the ground moves by at the start: v = velocity · d · shape(n · (x − centre)), with the stress that
/// belongs to it. d is n for a P wave, and for an S wave what of `polarisation` is across n.
struct WaveSection {
    enum class Shape { cosine, gaussian };
    char kind = 'P';                       ///< or S
    std::array<double, 3> direction{};     ///< n, of length 1
    std::array<double, 3> polarisation{};  ///< d, of length 1
    Shape shape = Shape::cosine;
    double wave_number = 0.0;  ///< of a cosine, m⁻¹
    double width = 0.0;        ///< of a Gaussian, one standard deviation, m
    tetra::Point centre{};     ///< m
    double velocity = 0.0;     ///< m s⁻¹
};

struct SourceSection {
    PointSource source;
    std::string name;                ///< of the entry, for people
    std::string samples;             ///< the file that it was read from, if there is one
    double highest_frequency = 0.0;  ///< Hz, below which 99 % of its energy lies
};

/// A rupture that a file describes.
struct RuptureSection {
    std::string name;  ///< of the entry, for people
    std::string file;
    std::string format = "auto";  ///< or "srf", "fsrm"
    double delay = 0.0;           ///< s
    bool depth_from_surface = false;
};

/// A rupture that a few numbers describe.
struct PlaneSection {
    std::string name;  ///< of the entry, for people
    PlaneOptions plane;
};

/// Seismograms at points.
struct ReceiversSection {
    std::string file;
    base::Duration every;
    NamedPlaces places;
    bool to_surface = false;  ///< up or down, to the free surface, or so far below as their list says
    std::vector<std::string> fields;
};

/// The largest answer of an oscillator to the ground.
struct Response {
    double period = 0.0;  ///< s
    std::string name;     ///< of the field: "sa_0.3s"
};

/// The wave field at the free surface.
struct SurfaceSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;  ///< unknowns, and peaks
    int refine = 0;                   ///< times that each face is cut in four
    base::Duration peak_interval;     ///< between the samples that peaks are the largest of
    std::vector<Response> responses;  ///< of oscillators, which are peaks too
    double damping = 0.05;            ///< of these, as a share of the critical
};

/// The wave field in the volume or a part of it.
struct VolumeSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;
    PlaceBox box;    ///< of the centres of the cells that are written
    int refine = 0;  ///< times that each cell is cut in eight
};

/// Output of faults on triangles of their faces.
struct FaultMapSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;
    int refine = 0;  ///< times that each face is cut in four
};

/// Output of faults at places on them.
struct FaultReceiversSection {
    std::string file;
    base::Duration every;
    NamedPlaces places;
    std::vector<std::string> fields;
};

/// Output of all faults together.
struct RuptureSeriesSection {
    std::string file;
    base::Duration every;
    bool of_jump = false;  ///< also FaultTotals::moment_of_jump
};

/// The energies of the whole wave field.
struct EnergySection {
    std::string file;
    base::Duration every;
};

struct Case : simulation::Case {
    MeshSection mesh;
    std::optional<tetra::Projection> projection;  ///< of longitudes and latitudes to the mesh's metres
    SolverSection solver;
    RockOptions rock;
    std::vector<WaveSection> waves;
    std::string initial_file;  ///< of a field that is added to the waves at the start, if there is one
    std::vector<SourceSection> sources;
    std::vector<RuptureSection> ruptures;
    std::vector<PlaneSection> planes;
    std::optional<FaultOptions> fault;            ///< none: what the mesh has of faults holds together
    std::optional<PlasticityOptions> plasticity;  ///< none: rock is elastic, or viscoelastic
    halo::ExchangeOptions halo;
    std::vector<ReceiversSection> receivers;
    std::vector<SurfaceSection> surfaces;
    std::vector<VolumeSection> volumes;
    std::vector<FaultMapSection> fault_maps;
    std::vector<FaultReceiversSection> fault_receivers;
    std::optional<RuptureSeriesSection> rupture_series;
    std::optional<EnergySection> energies;

    std::vector<simulation::Interval> intervals() const override;
    std::vector<std::string> input_files() const override;
    std::vector<std::string> about_input() const override;
};

/// Reads the keys of a case of the earthquake model. `output_folder`: of the command line, or empty.
std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder);

}  // namespace groundswell::quake
