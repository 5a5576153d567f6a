#pragma once
// A stand-in until the real one lands.
#include <mpi.h>
#include <span>
#include <string>
#include <vector>
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/simulation/case_file.hpp"
namespace groundswell::quake {
struct RockOptions {
    Material material;
};
inline RockOptions read_rock(const simulation::Section& s) {
    const double rho = s.number("density", 2700.0, {}, {"d"}), vp = s.number("vp", 6000.0, {}, {"d"}),
                 vs = s.number("vs", 3464.0, {}, {"d"});
    return {{rho, rho * (vp * vp - 2 * vs * vs), rho * vs * vs}};
}
inline std::vector<std::string> input_files(const RockOptions&) {
    return {};
}
class Rock {
public:
    Rock(MPI_Comm, const RockOptions& o, const std::string&) : m_(o.material) {}
    void check_groups(MPI_Comm, std::span<const std::int64_t>) const {}
    Material at(const tetra::Point&, std::int64_t) const { return m_; }
    Material of(const tetra::Tetrahedron&, std::int64_t) const { return m_; }

private:
    Material m_;
};
}  // namespace groundswell::quake
