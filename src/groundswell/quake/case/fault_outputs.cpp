#include "groundswell/quake/case/fault_outputs.hpp"

#include "groundswell/quake/fault/fields.hpp"

namespace groundswell::quake {

FaultMapSection read_fault_map(const simulation::Section& entry, simulation::StreamNames& names) {
    FaultMapSection map;
    map.file = names.read(entry);
    map.every = simulation::StreamNames::read_every(entry);
    map.fields = entry.words("fields", {"slip_rate", "slip", "rupture_time"}, all_fault_field_names(),
                             {"what is written of faults, at the centre of each triangle"});
    map.refine = entry.integer("refine", 0, {0, 6},
                               {"how many times each face of a fault is cut in four triangles, of which each "
                                "has a value of its own"});
    return map;
}

FaultReceiversSection read_fault_receivers(const simulation::Section& entry, simulation::StreamNames& names,
                                           const std::optional<tetra::Projection>& projection) {
    FaultReceiversSection receivers;
    receivers.file = names.read(entry);
    receivers.every = simulation::StreamNames::read_every(entry);
    receivers.places = read_named_places(entry, "places on faults", projection);
    receivers.fields = entry.words(
        "fields", {"slip_rate_strike", "slip_rate_dip", "traction_strike", "traction_dip", "normal_stress"},
        fault_field_names_of_places(), {"what is written"});
    return receivers;
}

}  // namespace groundswell::quake
