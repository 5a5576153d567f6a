#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/quake/mesh/options.hpp"
#include "groundswell/quake/rock/options.hpp"
#include "groundswell/simulation/report.hpp"

/// Whether a mesh and its rock can be meant as they are read: in metres and kilograms, with z up.
namespace groundswell::quake {

struct Range {
    double low = 0.0, high = 0.0;
};

/// Ranges by which people recognise their ground.
struct GroundRanges {
    tetra::Point low{}, high{};  ///< of the mesh, m
    Range density;               ///< kg m⁻³
    Range vp, vs;                ///< m s⁻¹; vs 0: there are liquids
    double slowest = 0.0;        ///< speed of any wave, m s⁻¹

    std::string extent() const;  ///< for people, "x -3000 to 3000, y …, z … m"
    std::string rock() const;    ///< "density 2700 kg/m3, vp 5000 to 6000 m/s, vs …"
    void add_to(simulation::Report& report) const;
};

/// Ranges of a mesh and of its rock; `material` by cell of the slab. Collective.
GroundRanges ranges_of(MPI_Comm comm, const tetra::Slab& slab, std::span<const Material> material);

/// base::Refusal on all ranks for a size, a rock or a frequency (`highest`, Hz, that all cells carry) that is about a
/// thousand times off what earthquakes have, unless the case insists. Collective.
void require_plausible(MPI_Comm comm, const MeshSection& mesh, const RockOptions& rock,
                       const GroundRanges& ranges, double highest);

/// Warns of a free surface that faces down, of a top that absorbs, and of layers that hold next to nothing of the mesh: z that
/// counts down, tags that were swapped, kilometres. Collective.
void warn_of_axes(MPI_Comm comm, const MeshSection& mesh, const tetra::Slab& slab);
void warn_of_layers(MPI_Comm comm, const RockOptions& rock, const tetra::Slab& slab);

/// For those whose places lie so far, m, outside the mesh that the two must be in different projections: what to do about it,
/// behind a message. Else empty.
std::string explain_distance(const GroundRanges& mesh, const std::optional<tetra::Projection>& projection,
                             double metres);

}  // namespace groundswell::quake
