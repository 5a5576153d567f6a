#include "groundswell/mesh/tetra/slab.hpp"

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

Slab slab_of(MPI_Comm comm, const Box& box) {
    Slab slab;
    slab.blocks = parallel::RowBlocks(box.cells(), parallel::size_of(comm), parallel::rank_of(comm));
    slab.vertices = box.vertices();
    for (std::int64_t c = slab.blocks.begin(); c < slab.blocks.end(); ++c) slab.cell.push_back(box.cell(c));
    slab.group.assign(slab.cell.size(), 0);
    return slab;
}

}  // namespace groundswell::tetra
