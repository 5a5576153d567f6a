#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::quake {

/// The faces of faults as files have them: those that each rank tells of, in the order of their ids, which no rank changes;
/// and what they keep, in restart files.
class SavedFault {
public:
    /// `places`: of a Fault on this mesh. Collective.
    SavedFault(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const FaultPlace> places);

    /// Faces that this rank tells of, by their row in files, and those rows.
    const std::vector<std::int32_t>& faces() const { return faces_; }
    const output::Decomposition& rows() const { return *rows_; }

    /// Adds what the faces keep to a restart; `law` is part of what must be found again. Values last as long as this.
    void add_to(simulation::State& state, const Fault& fault, const std::string& law);
    /// Gives back what add_to() has taken or the restart has read, to all ranks that have a side of a face. Collective.
    void restore(Fault& fault);
    void clear() { values_ = heat_ = {}; }

private:
    MPI_Comm comm_;
    std::span<const FaultPlace> places_;
    std::vector<std::int32_t> faces_;
    std::vector<int> other_rank_;  // of a face that this rank tells of: whose the − side is; -1: this one's
    std::unique_ptr<const output::Decomposition> rows_;
    std::vector<double> values_, heat_;  // [face][kept_states, or those of heat][point]
};

}  // namespace groundswell::quake
