#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/mesh/voronoi/boxes.hpp"
#include "groundswell/sea/boundary/section.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "groundswell/sea/ice/ice_options.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"
#include "groundswell/simulation/case.hpp"

/// A case of the wave model: one plain struct for each section of the case file. Read once, passed by const
/// reference.
namespace groundswell::sea {

struct MeshSection {
    std::string file;
    std::string partition = "auto";
    std::string part_file;                ///< cut beforehand; empty: looked for beside the mesh
    bool map_to_hosts = true;             ///< plain parts go to ranks such that neighbours share hosts
    double imbalance = 0.02;              ///< relative to the mean part
    std::optional<double> uniform_depth;  ///< m, in place of the mesh file's bottomDepth
    double minimum_depth = 0.0;           ///< m, of water; a cell with less is dry. Of levels alone
    double smallest_sea = 0.01;           ///< share of the largest water's cells below which one is left out
    std::string obstruction;              ///< file of islands smaller than a cell; empty: none
    std::vector<double>
        open_beyond;  ///< degrees: where the sea goes on beyond the mesh; empty: as its file says
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
};

/// Cells whose spectrum is held at a given sea: a wave maker at an open boundary.
struct WaveMakerSection {
    std::vector<double> region;  ///< degrees: west, east, south, north
    ParametricSea sea;
};

/// Options of the halo exchange; of its values, directions are what an id has several of.
struct HaloSection : halo::ExchangeOptions {
    bool reorder = false;  ///< let the MPI library give processes new ranks
};

/// Time series at points: of fields, or of whole spectra (WW3 layout), each kind in files of its own.
struct PointsSection {
    std::string file;
    base::Duration every;
    std::vector<std::pair<double, double>> at;  ///< degrees
    std::string at_file;                        ///< that they come from too, or empty
    std::vector<std::string> names;             ///< one per point
    std::vector<std::string> fields;            ///< empty: spectra
    std::vector<std::string> spectra;           ///< what a file of spectra holds
    std::vector<double> depths;                 ///< m below the surface, of the Stokes drift
    double reach = 3.0;                         ///< widths of a cell that a point may be from its centre
};

/// Fields on a grid of longitude and latitude.
struct GridSection {
    std::string file;
    base::Duration every;
    std::vector<std::string> fields;
    voronoi::BoxGrid grid;
    double least_sea = 0.0;  ///< share of a box
};

/// A case of the wave model.
struct Case : simulation::Case {
    std::optional<base::Duration> source_step;  ///< empty: automatic
    MeshSection mesh;
    SpectrumSection spectrum;
    std::vector<ForcingSection> forcing;  ///< one for each kind; without entries where the case has none
    InitialSection initial;
    std::vector<WaveMakerSection> wave_makers;
    std::vector<BoundarySection> boundaries;
    PhysicsOptions physics;
    IceOptions ice;
    PropagationOptions propagation;
    bool propagates = true;  ///< false: every cell is a model of its own
    int cluster_rate =
        1;  ///< between the steps of cells that step at rates of their own; 1: one step for all
    double courant = 0.0;  ///< share of the longest stable step that an automatic step may use
    HaloSection halo;
    std::vector<PointsSection> points;
    std::vector<GridSection> grids;

    std::vector<simulation::Interval> intervals() const override;
    std::vector<std::string> input_files() const override;
};

/// Reads the keys of a case of the wave model. `output_folder`: of the command line, or empty.
std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder);

/// Reads an entry [[output.points]]. `has_sources`: the case has source terms. Throws base::Refusal.
PointsSection read_points(const simulation::Section& entry, simulation::StreamNames& names, bool has_sources);
/// Reads an entry [[output.grid]]. Throws base::Refusal.
GridSection read_grid(const simulation::Section& entry, simulation::StreamNames& names);

}  // namespace groundswell::sea
