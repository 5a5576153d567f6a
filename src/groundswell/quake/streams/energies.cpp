#include <memory>
#include <utility>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

constexpr std::int64_t kinds = 3;  // kinetic, elastic, of the sea's surface

/// By thread, [record]: sums that depend on no order.
class EnergySums : public Recorder {
public:
    using Recorder::Recorder;

    void add(std::int64_t record, const Energy& energy, double of_sea) {
        auto& sums = of_thread_[exec::thread_index()];
        sums[kinds * record].add(energy.kinetic);
        sums[kinds * record + 1].add(energy.elastic);
        sums[kinds * record + 2].add(of_sea);
    }
    std::vector<double> totals(MPI_Comm comm) {
        for (std::size_t t = 1; t < of_thread_.size(); ++t) {
            for (std::size_t i = 0; i < of_thread_[t].size(); ++i) of_thread_[0][i].add(of_thread_[t][i]);
        }
        return parallel::sum(comm, of_thread_[0]);
    }

private:
    void clear() override {
        of_thread_.assign(exec::threads(), std::vector<parallel::ExactSum>(kinds * count()));
    }
    std::vector<std::vector<parallel::ExactSum>> of_thread_;
};

output::Schema schema_of(const ProjectedCase& run, bool has_sea) {
    using output::Type;
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    schema.variables = {
        simulation::time_variable(run.time),
        {"kinetic", Type::float64, {"time"}, {{"long_name", "kinetic energy"}, {"units", "J"}}},
        {"elastic",
         Type::float64,
         {"time"},
         {{"long_name", "elastic energy of the change of stress"}, {"units", "J"}}},
    };
    if (has_sea)
        schema.variables.push_back(
            {"sea_surface",
             Type::float64,
             {"time"},
             {{"long_name", "potential energy of the sea's surface"}, {"units", "J"}}});
    schema.attributes = global_attributes(run, "Energies", "Energies of an earthquake model");
    return schema;
}

class Energies : public simulation::Stream {
public:
    Energies(MPI_Comm comm, const ProjectedCase& run, const EnergySection& section,
             std::shared_ptr<EnergySums> sums, bool has_sea)
        : Stream(section.file, section.every, schema_of(run, has_sea)),
          comm_(comm),
          sums_(std::move(sums)),
          has_sea_(has_sea) {}

    void write_fixed(output::Dataset& /*file*/) override {}
    std::int64_t record_bytes() const override { return kinds * sizeof(double); }
    std::vector<output::Values> record() override {
        const std::vector<double> totals = sums_->totals(comm_);
        for (auto* const values : {&kinetic_, &elastic_, &of_sea_}) values->clear();
        for (std::size_t i = 0; i < totals.size(); i += kinds) {
            kinetic_.push_back(totals[i]);
            elastic_.push_back(totals[i + 1]);
            of_sea_.push_back(totals[i + 2]);
        }
        std::vector<output::Values> record{output::replicated<double>("kinetic", kinetic_),
                                           output::replicated<double>("elastic", elastic_)};
        if (has_sea_) record.push_back(output::replicated<double>("sea_surface", of_sea_));
        return record;
    }

private:
    MPI_Comm comm_;
    std::shared_ptr<EnergySums> sums_;
    bool has_sea_;
    std::vector<double> kinetic_, elastic_, of_sea_;
};

}  // namespace

template <class Real>
RecordedStream make_energies(MPI_Comm comm, const ProjectedCase& run, const EnergySection& section,
                             const Attenuation* attenuation, const Domain& domain, Wavefield<Real>& field) {
    const auto sums = std::make_shared<EnergySums>(section.every);
    std::vector<double> volume;
    std::vector<std::vector<Mechanism>> mechanisms_of;
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        volume.push_back(tetra::geometry_of(domain.mesh.cell[cell].place).volume);
        mechanisms_of.push_back(attenuation != nullptr ? attenuation->mechanisms_of(domain.material[cell])
                                                       : std::vector<Mechanism>{});
    }
    field.add_observer(
        {[sums](double from, double to, std::vector<Moment>& moments) {
             sums->add_moments(from, to, moments);
         },
         [sums, &field, &domain, mechanisms_of = std::move(mechanisms_of), volume = std::move(volume),
          mass = tetrahedron_mass(field.elements().layout().order)](std::int32_t element, std::int64_t record,
                                                                    std::span<const double> state) {
             const std::int32_t cell = field.cell_of(element);
             const std::vector<Mechanism>& mechanisms = mechanisms_of[cell];
             const std::size_t behind = 9 * mass.size();
             const std::int32_t face = field.sea().face_of(cell);
             sums->add(record,
                       energy_of(
                           mass, domain.material[cell], mechanisms, volume[cell],
                           [&](int k, int q) { return state[9 * k + q]; },
                           [&](int k, std::size_t l, int i) {
                               return state[behind + (k * mechanisms.size() + l) * 6 + i];
                           }),
                       face < 0 ? 0.0 : field.sea().energy(face, sums->time_of(record)));
         }});
    return {std::make_unique<Energies>(comm, run, section, sums, domain.has_sea), sums};
}

template RecordedStream make_energies(MPI_Comm, const ProjectedCase&, const EnergySection&,
                                      const Attenuation*, const Domain&, Wavefield<float>&);
template RecordedStream make_energies(MPI_Comm, const ProjectedCase&, const EnergySection&,
                                      const Attenuation*, const Domain&, Wavefield<double>&);

}  // namespace groundswell::quake
