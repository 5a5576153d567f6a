#include "fuzz.hpp"
#include "groundswell/mesh/tetra/slab.hpp"

// Meshes in Gmsh's format.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    groundswell::fuzz::begin();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    const std::string path = fuzz::as_file("mesh.msh", data, size);
    fuzz::may_refuse([&] {
        parallel::SparseExchange exchange(MPI_COMM_SELF);
        const tetra::Slab slab = tetra::read_gmsh(MPI_COMM_SELF, exchange, path);
        tetra::find_neighbours(MPI_COMM_SELF, exchange, slab, path);
    });
    return 0;
}
