#include "fuzz.hpp"
#include "groundswell/mesh/voronoi/load.hpp"

// Meshes in the MPAS format.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    groundswell::fuzz::begin();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    if (fuzz::is_hdf5(data, size)) return -1;
    const std::string path = fuzz::as_file("mesh.nc", data, size);
    voronoi::LoadOptions options;
    options.layers = 2;
    fuzz::may_refuse([&] { voronoi::load_mesh(MPI_COMM_SELF, path, options); });
    return 0;
}
