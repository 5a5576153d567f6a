#include "groundswell/sea/boundary/read_parametric_sea.hpp"

#include <optional>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

ParametricSea read_parametric_sea(const simulation::Section& section, bool required) {
    ParametricSea sea;
    const auto need = [&](double value) {
        return required ? std::optional<double>() : std::optional<double>(value);
    };
    sea.significant_height =
        section.number("hs", need(1.0), {0.0, 30.0}, {"significant height of the given sea", "m"});
    sea.peak_period = section.number("tp", need(12.0), {0.5, 40.0}, {"its peak period", "s"});
    sea.bearing = section.number("direction", need(270.0), {-360.0, 360.0},
                                 {"its bearing, coming from, clockwise from north", "degree"});
    read_spreading(section, sea);
    return sea;
}

void read_spreading(const simulation::Section& section, ParametricSea& sea) {
    sea.spread = section.number("spread", 30.0, {1.0, 80.0}, {"its one-sided directional spread", "degree"});
    sea.peak_enhancement =
        section.number("gamma", 3.3, {1.0, 20.0}, {"its peak enhancement", "1", "Hasselmann et al. 1973"});
}

}  // namespace groundswell::sea
