#include <array>
#include <string_view>
#include <vector>

#include "groundswell/exec/launch.hpp"
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

/// By thread, [record].
class RuptureSums : public Recorder {
public:
    using Recorder::Recorder;

    FaultSums& of(std::int64_t record) { return of_thread_[exec::thread_index()][record]; }
    std::vector<FaultTotals> totals(MPI_Comm comm) {
        for (std::size_t t = 1; t < of_thread_.size(); ++t) {
            for (std::size_t i = 0; i < of_thread_[t].size(); ++i) of_thread_[0][i].add(of_thread_[t][i]);
        }
        return FaultSums::totals(comm, of_thread_[0]);
    }

private:
    void clear() override { of_thread_.assign(exec::threads(), std::vector<FaultSums>(count())); }
    std::vector<std::vector<FaultSums>> of_thread_;
};

output::Schema series_schema(const ProjectedCase& run, bool with_jump) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const Column& column : columns) {
        if (column.names.name == of_jump && !with_jump) continue;
        schema.variables.push_back({std::string(column.names.name),
                                    output::Type::float64,
                                    {"time"},
                                    {{"long_name", std::string(column.names.long_name)},
                                     {"units", std::string(column.names.unit)}}});
    }
    schema.attributes =
        global_attributes(run, "Rupture", "What the faults of an earthquake model do, all together");
    return schema;
}

class RuptureSeries : public simulation::Stream {
public:
    RuptureSeries(MPI_Comm comm, const ProjectedCase& run, const RuptureSeriesSection& section,
                  std::shared_ptr<RuptureSums> sums)
        : Stream(section.file, section.every, series_schema(run, section.of_jump)),
          comm_(comm),
          of_jump_(section.of_jump),
          sums_(std::move(sums)) {}

    void write_fixed(output::Dataset& /*file*/) override {}
    std::int64_t record_bytes() const override { return columns.size() * sizeof(double); }
    std::vector<output::Values> record() override {
        const std::vector<FaultTotals> totals = sums_->totals(comm_);
        std::vector<output::Values> record;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c].names.name == of_jump && !of_jump_) continue;
            values_[c].clear();
            for (const FaultTotals& at : totals) values_[c].push_back(columns[c].of(at));
            record.push_back(output::replicated<double>(std::string(columns[c].names.name), values_[c]));
        }
        return record;
    }

private:
    MPI_Comm comm_;
    bool of_jump_;
    std::shared_ptr<RuptureSums> sums_;
    std::array<std::vector<double>, columns.size()> values_;
};

}  // namespace

RecordedStream make_rupture_series(MPI_Comm comm, const ProjectedCase& run,
                                   const RuptureSeriesSection& section, Fault& fault) {
    const auto sums = std::make_shared<RuptureSums>(section.every);
    fault.add_observer(
        {[sums](double from, double to, std::vector<Moment>& moments) {
             sums->add_moments(from, to, moments);
         },
         [sums, &fault](std::int32_t face, const Moment& moment, std::span<const double> state) {
             const FaultPlace& place = fault.places()[face];
             const int points = fault.rule().points();
             std::array<double, most_points> strength;
             for (int p = 0; p < points; ++p) strength[p] = fault.strength(face, p, moment.time, state);
             sums->of(moment.number).add(fault.rule(), place.area, place.mu, strength, state);
         }});
    return {std::make_unique<RuptureSeries>(comm, run, section, sums), sums};
}

}  // namespace groundswell::quake
