#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/values/places.hpp"
#include "groundswell/simulation/case.hpp"

/// Requests of a case for each kind of output file.
namespace groundswell::quake {

/// Facts about a case that all files of its run need.
struct ProjectedCase : simulation::Case {
    std::optional<tetra::Projection> projection;  ///< of longitudes and latitudes to the mesh's metres
};

/// A file, and how often it gets a record.
struct StreamSection {
    std::string file;
    base::Duration every;
};

/// Seismograms at points.
struct ReceiversSection : StreamSection {
    NamedPlaces places{};
    bool to_surface = false;  ///< up or down, to the free surface, or so far below as their list says
    std::vector<std::string> fields{};
};

/// The largest answer of an oscillator to the ground.
struct Response {
    double period = 0.0;  ///< s
    std::string name;     ///< of the field: "sa_0.3s"
};

/// The wave field at the free surface.
struct SurfaceSection : StreamSection {
    std::vector<std::string> fields{};  ///< unknowns, and peaks
    int refine = 0;                     ///< times that each face is cut in four
    base::Duration peak_interval{};     ///< between the samples that peaks are the largest of
    std::vector<Response> responses{};  ///< of oscillators, which are peaks too
    double damping = 0.05;              ///< of these, as a share of the critical
};

/// The wave field in the volume or a part of it.
struct VolumeSection : StreamSection {
    std::vector<std::string> fields{};
    PlaceBox box{};  ///< of the centres of the cells that are written
    int refine = 0;  ///< times that each cell is cut in eight
};

/// Fields of faults on triangles of their faces.
struct FaultMapSection : StreamSection {
    std::vector<std::string> fields{};
    int refine = 0;  ///< times that each face is cut in four
};

/// Fields of faults at receivers.
struct FaultReceiversSection : StreamSection {
    NamedPlaces places{};
    std::vector<std::string> fields{};
};

/// Totals of all faults.
struct RuptureSeriesSection : StreamSection {
    bool of_jump = false;  ///< also FaultTotals::moment_of_jump
};

/// The energies of the whole wave field.
using EnergySection = StreamSection;

/// Entries of [output] and its sections, of which the last two may be missing.
ReceiversSection read_receivers(const simulation::Section& entry, simulation::StreamNames& names,
                                const std::optional<tetra::Projection>& projection);
SurfaceSection read_surface(const simulation::Section& entry, simulation::StreamNames& names);
VolumeSection read_volume(const simulation::Section& entry, simulation::StreamNames& names);
FaultMapSection read_fault_map(const simulation::Section& entry, simulation::StreamNames& names);
FaultReceiversSection read_fault_receivers(const simulation::Section& entry, simulation::StreamNames& names,
                                           const std::optional<tetra::Projection>& projection);
std::optional<RuptureSeriesSection> read_rupture_series(const simulation::Section& section,
                                                        simulation::StreamNames& names);
std::optional<EnergySection> read_energies(const simulation::Section& section,
                                           simulation::StreamNames& names);

}  // namespace groundswell::quake
