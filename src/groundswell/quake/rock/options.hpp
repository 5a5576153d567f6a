#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/rock/stated_rock.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// Rock on a grid of a NetCDF file: see rock.hpp.
struct RockGridOptions {
    std::string file;
    bool attenuating = false;  ///< qp and qs are read
    bool nearest = false;      ///< values of the edges hold beyond them; else nothing may lie there
};

struct RockEntry {
    std::vector<std::int64_t> groups;  ///< of the mesh; empty: all that no other entry names
    std::variant<StatedRock, RockProfile, RockGridOptions> what;
    std::string place;  ///< in the case, FILE:LINE
};

/// The section [material] of a case.
struct RockOptions {
    bool average = true;  ///< over an element; else what is at its centre
    std::vector<RockEntry> rock;
    std::string place;                                 ///< in the case, FILE:LINE
    std::shared_ptr<const Attenuation> attenuation{};  ///< null: elastic
    double gravity = base::gravity;                    ///< m s⁻², at sea surfaces
    bool unusual = false;                              ///< rock that no ground is made of is meant

    int mechanisms() const { return attenuation ? attenuation->options().mechanisms : 0; }
};

/// Null without the section [attenuation]; base::Refusal for a band that its mechanisms cannot fit.
std::shared_ptr<const Attenuation> read_attenuation(const simulation::Section& section);

/// base::Refusal for what cannot be known to be wrong without mesh and grids.
RockOptions read_rock(const simulation::Section& section,
                      std::shared_ptr<const Attenuation> attenuation = nullptr);

/// The grids that are read.
std::vector<std::string> input_files(const RockOptions& options);

}  // namespace groundswell::quake
