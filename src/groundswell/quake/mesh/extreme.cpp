#include "groundswell/quake/mesh/extreme.hpp"

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

// In which `sign` times the value is smallest.
Extreme find(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value, double sign) {
    parallel::Located mine;
    for (std::size_t c = 0; c < value.size(); ++c)
        mine = parallel::lesser(mine, {sign * value[c], slab.blocks.begin() + static_cast<std::int64_t>(c)});
    const parallel::Located found = parallel::min_located(comm, mine);
    Extreme extreme{sign * found.value, found.id, {}};
    if (found.id >= slab.blocks.begin() && found.id < slab.blocks.end())
        extreme.centre = centre_of(slab.cell[found.id - slab.blocks.begin()]);
    MPI_Allreduce(MPI_IN_PLACE, extreme.centre.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
    return extreme;
}

}  // namespace

Extreme find_smallest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value) {
    return find(comm, slab, value, 1.0);
}

Extreme find_largest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value) {
    return find(comm, slab, value, -1.0);
}

}  // namespace groundswell::quake
