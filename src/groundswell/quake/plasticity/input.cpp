#include "groundswell/quake/plasticity/input.hpp"

#include <cmath>

namespace groundswell::quake {

PlasticityInput plasticity_input(const PlasticityOptions& options, const FaultOptions* fault) {
    const bool own = options.has_stress();
    return {options.relaxation_time,
            [&options, fault, own](const tetra::Point& place, double mu) {
                const double z = place[2], angle = std::atan(options.friction.at(z));
                YieldingRock<double> rock{};
                std::array<double, 6> stress{};
                if (!own) stress = fault->stress_at(place, mu);
                for (std::size_t i = 0; i < stress.size(); ++i)
                    rock.stress[i] = own ? (options.stress[i] ? options.stress[i]->at(z) : 0.0) : stress[i];
                rock.cohesion = options.cohesion.at(z) * std::cos(angle);
                rock.friction = std::sin(angle);
                return rock;
            },
            options.by_element, options.stated_at};
}

}  // namespace groundswell::quake
