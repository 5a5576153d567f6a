#include <array>
#include <string_view>
#include <vector>

#include "groundswell/quake/fault/totals.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/faults/streams.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

struct Column {
    simulation::FieldNames names;
    double (*of)(const FaultTotals&);
};
// Written where a case asks for it.
constexpr std::string_view of_jump = "moment_of_jump";
constexpr std::array columns{
    Column{{"moment", "", "seismic moment", "N m"}, [](const FaultTotals& t) { return t.moment; }},
    Column{{of_jump, "", "seismic moment by the jump of velocity across faults in any direction", "N m"},
           [](const FaultTotals& t) { return t.moment_of_jump; }},
    Column{{"moment_rate", "", "seismic moment rate", "N m s-1"},
           [](const FaultTotals& t) { return t.moment_rate; }},
    Column{{"magnitude", "", "moment magnitude", "1"},
           [](const FaultTotals& t) {
               return t.moment > 0.0 ? t.magnitude() : static_cast<double>(simulation::fill_value);
           }},
    Column{{"area", "", "ruptured area", "m2"}, [](const FaultTotals& t) { return t.area; }},
    Column{{"mean_slip", "", "slip along its path, mean of the ruptured area", "m"},
           [](const FaultTotals& t) { return t.mean_slip; }},
    Column{{"largest_slip", "", "largest slip along its path", "m"},
           [](const FaultTotals& t) { return t.largest_slip; }},
    Column{{"largest_slip_rate", "", "largest slip rate since the start", "m s-1"},
           [](const FaultTotals& t) { return t.largest_rate; }},
    Column{{"friction_work", "", "work against friction: heat and fracture", "J"},
           [](const FaultTotals& t) { return t.friction_work; }},
    Column{{"fracture_work", "", "of it what was more than the strength of this time would have taken", "J"},
           [](const FaultTotals& t) { return t.fracture_work; }},
    Column{{"released_work", "", "energy released into strain and waves", "J"},
           [](const FaultTotals& t) { return t.released_work; }},
    Column{{"radiated_energy", "", "of it the energy of waves, once nothing slips any more", "J"},
           [](const FaultTotals& t) { return t.radiated_energy; }},
};

}  // namespace

RecordedStream make_rupture_series(MPI_Comm comm, const ProjectedCase& run,
                                   const RuptureSeriesSection& section, Fault& fault) {
    const auto sums = std::make_shared<SumRecorder<FaultSums>>(section.every, 1);
    fault.add_observer({moments_of(sums), [sums, &fault](std::int32_t face, const Moment& moment,
                                                         std::span<const double> state) {
                            const FaultPlace& place = fault.places()[face];
                            const int points = fault.rule().points();
                            std::array<double, most_points> strength;
                            for (int p = 0; p < points; ++p)
                                strength[p] = fault.strength(face, p, moment.time, state);
                            sums->of(moment.number)->add(fault.rule(), place.area, place.mu, strength, state);
                        }});
    std::vector<Column> there;
    std::vector<simulation::FieldNames> names;
    for (const Column& column : columns) {
        if (column.names.name == of_jump && !section.of_jump) continue;
        there.push_back(column);
        names.push_back(column.names);
    }
    const auto fill = [comm, sums, there = std::move(there)](SeriesStream::Numbers& values) {
        for (const FaultTotals& at : FaultSums::totals(comm, sums->all()))
            for (std::size_t c = 0; c < there.size(); ++c) values[c].push_back(there[c].of(at));
    };
    return {
        std::make_unique<SeriesStream>(
            section,
            series_schema(run, names, "Rupture", "What the faults of an earthquake model do, all together"),
            fill),
        sums};
}

}  // namespace groundswell::quake
