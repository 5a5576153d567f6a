#pragma once

#include <optional>
#include <string>

#include "groundswell/mesh/tetra/box.hpp"
#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/mesh/step_rule.hpp"
#include "groundswell/simulation/case_file.hpp"

/// Mesh of a case and time steps of its elements.
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

/// The sections [mesh], [projection], which a case need not have, and [solver].
MeshSection read_mesh(const simulation::Section& section);
std::optional<tetra::Projection> read_projection(const simulation::Section& section);
SolverSection read_solver(const simulation::Section& section);

}  // namespace groundswell::quake
