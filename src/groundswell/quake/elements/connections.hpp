#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/elements/places.hpp"
#include "groundswell/quake/material.hpp"

/// Readers of each side of each element, where clusters step at rates of their own.
///
/// At a face an element keeps the integral over its step: one side for a neighbour with the same time step; one for each piece of
/// its step where the neighbour steps oftener; and the sum over its own steps in one of the neighbour's that steps more rarely.
/// Sides are counted: first those of all elements, then pieces and sums that other ranks read, cluster after cluster, then
/// those that this one reads, then what other ranks have written.
namespace groundswell::quake {

/// Blocks of a cluster: elements none of whose neighbours belong to other ranks, and those that have such; in both,
/// elements without a neighbour that steps oftener come first. In each rock comes before water, and that which meets anisotropic rock last.
enum Block { interior, interior_pieces, rim, rim_pieces, blocks_of_cluster };

/// Messages from a cluster to others of the same rate, to the next finer one, or to the next coarser one on other ranks.
struct Passage {
    std::int32_t first = 0;                 ///< side from which `owned` are counted
    std::vector<std::int64_t> owned;        ///< ids of consecutive sides; -1: of a lane without an element
    std::vector<std::int64_t> needed;       ///< ids that this rank reads
    std::vector<std::int32_t> needed_side;  ///< and where it reads them
};

/// Consecutive sides [begin, end).
struct SideRange {
    std::int32_t begin = 0, end = 0;
};
/// Sides of a cluster among those of others.
struct ClusterSides {
    std::vector<SideRange> through;  ///< what this rank's elements let through
    SideRange received;              ///< the same of other ranks
    SideRange beyond;                ///< what elements meet at faults and at a sea's surface
};

struct Connections {
    /// `lanes`: elements in a batch; `rate`: between clusters, 1 if there is only one. Where faults break, their sides do not
    /// read each other's: each has a side of its own beyond, which whoever solves the fault writes; so has a sea surface. `material`, of all cells: no
    /// batch has water and rock, nor cells that meet anisotropic rock and others; none: all is isotropic rock.
    Connections(const tetra::LocalMesh& mesh, int rate, int lanes, bool faults_break = false,
                std::span<const Material> material = {});

    std::vector<std::int32_t> cell_of;     ///< [element] local cell
    std::vector<std::int32_t> element_of;  ///< [owned cell]
    BatchPlaces places;                    ///< blocks: blocks_of_cluster * cluster + Block
    std::int32_t other_sides = 0;          ///< behind those of the elements

    /// By element and face, as Batch has them; and the side that the sum goes to, -1 where there is none.
    std::vector<std::array<std::int32_t, 4>> beyond, pieces, sums;

    struct OfCluster {
        Passage whole, pieces, sums;
        ClusterSides sides;
    };
    std::vector<OfCluster> passages;  ///< [cluster]
    /// All ids lie below.
    std::int64_t ids = 0;
};

}  // namespace groundswell::quake
