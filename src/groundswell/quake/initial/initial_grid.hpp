#pragma once

#include <array>
#include <string>

#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"

namespace groundswell::quake {

/// The wave field at the start on a grid: variables named as output files name the unknowns; of those that are missing all is 0.
class InitialGrid {
public:
    /// Reads what the region needs, by this rank alone. base::Refusal for what is not of that form.
    InitialGrid(const std::string& path, const gridded::Region& region);

    /// The unknowns, in the order of the model. base::Refusal where the grid does not reach a place, or has a hole beside it.
    std::array<double, 9> at(const tetra::Point& place) const;

private:
    gridded::SpaceGrid read(const netcdf::Reader& file, const gridded::Region& region);

    std::vector<std::size_t> quantity_;  // of each column
    gridded::SpaceGrid grid_;
};

}  // namespace groundswell::quake
