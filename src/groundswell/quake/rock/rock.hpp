#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/quake/rock/options.hpp"

namespace groundswell::quake {

/// Rock on a grid: variables density (or rho), and vp and vs, lambda and mu, or c11 to c66; and qp and qs, if both are there and wanted.
class RockGrid {
public:
    /// Reads what the region needs, by this rank alone; nothing but axes and units for an empty one. base::Refusal for what is
    /// not of that form.
    RockGrid(const RockGridOptions& options, const gridded::Region& region);

    /// The rock at a place in the region. base::Refusal where the grid does not reach it, or has a hole or what is no rock
    /// beside it.
    StatedRock at(const tetra::Point& place) const;

    /// Whether the file has a quality that was not wanted.
    bool ignores_quality() const { return ignores_quality_; }

private:
    gridded::SpaceGrid read(const netcdf::Reader& file, const gridded::Region& region);
    StatedRock point(const gridded::SpaceGrid::Index& index, const tetra::Point& place) const;

    RockGridOptions options_;
    bool moduli_ = false, anisotropic_ = false, attenuating_ = false, ignores_quality_ = false;
    gridded::SpaceGrid grid_;
};

/// Rock of a case where a rank has elements.
class Rock {
public:
    /// `group`: of each of the rank's `cells`, as the mesh numbers them. Each rank reads those parts of grids that its cells
    /// lie in. base::Refusal on all ranks for an entry about a group that the mesh does not have, elements that no entry is
    /// about, and grids that cannot be read. Collective.
    Rock(MPI_Comm comm, const RockOptions& options, std::span<const tetra::Tetrahedron> cells,
         std::span<const std::int64_t> group);

    /// At a place in a cell of the group. base::Refusal where a grid has no rock there.
    Material at(const tetra::Point& place, std::int64_t group) const;
    /// Material of a whole cell: averaged or at its centre, as the case says. The bits depend only on where its corners lie, not on
    /// their order.
    Material of(const tetra::Tetrahedron& cell, std::int64_t group) const;

private:
    struct Entry {
        std::vector<std::int64_t> groups;
        std::variant<Material, RockProfile, RockGrid> what;
    };
    StatedRock stated_at(const Entry& entry, const tetra::Point& place) const;
    const Entry& entry_of(std::int64_t group) const;

    std::string place_;  // of the case's section, for people
    bool average_;
    std::vector<Entry> entries_;
};

/// The material of each of a rank's cells, where it attenuates waves with its unrelaxed moduli. base::Refusal on all ranks, also where a grid has holes. Collective.
std::vector<Material> materials_of(MPI_Comm comm, const RockOptions& options,
                                   std::span<const tetra::Tetrahedron> cells,
                                   std::span<const std::int64_t> group);

/// Warns of grids with a quality that nothing uses. base::Refusal for a grid that cannot be read. For one rank.
void warn_of_quality(const RockOptions& options);

/// The mean over a cell of rock that has no layers: see Mean.
///
/// It is taken over 125 points, exact to degree 9. Their number does not grow with the order of the scheme: the same mesh is
/// made of the same rock, and steps in the same clusters, at any order.
Mean mean_over(const tetra::Tetrahedron& cell, const std::function<Material(const tetra::Point&)>& at);

}  // namespace groundswell::quake
