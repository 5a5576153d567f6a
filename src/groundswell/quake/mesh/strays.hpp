#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"

namespace groundswell::quake {

/// Places of a list that do not lie where they should, all told at once.
class Strays {
public:
    /// `remark`: how far it is off, for people.
    void add(const std::string& name, const tetra::Point& place, const std::string& remark);

    /// base::Refusal on all ranks where there are any of `all` places: "KEY = 4 of 5, P2 [9000, 0, 0] (REMARK), …: expected
    /// EXPECTED". Every rank has added the same. Collective.
    void refuse(MPI_Comm comm, const std::string& where, const std::string& key, std::size_t all,
                const std::string& expected) const;

private:
    std::vector<std::string> texts_;
};

}  // namespace groundswell::quake
