#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"

namespace groundswell::quake {

namespace {

constexpr std::int64_t kinds = 3;  // kinetic, elastic, of the sea's surface

constexpr simulation::FieldNames numbers[kinds] = {
    {"kinetic", "", "kinetic energy", "J"},
    {"elastic", "", "elastic energy of the change of stress", "J"},
    {"sea_surface", "", "potential energy of the sea's surface", "J"}};

}  // namespace

template <class Real>
RecordedStream make_energies(MPI_Comm comm, const ProjectedCase& run, const EnergySection& section,
                             const Attenuation* attenuation, const Domain& domain, Wavefield<Real>& field) {
    const auto sums = std::make_shared<SumRecorder<parallel::ExactSum>>(section.every, kinds);
    std::vector<double> volume;
    std::vector<std::vector<Mechanism>> mechanisms_of;
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        volume.push_back(tetra::geometry_of(domain.mesh.cell[cell].place).volume);
        mechanisms_of.push_back(attenuation != nullptr ? attenuation->mechanisms_of(domain.material[cell])
                                                       : std::vector<Mechanism>{});
    }
    field.add_observer(
        {moments_of(sums),
         [sums, &field, &domain, mechanisms_of = std::move(mechanisms_of), volume = std::move(volume),
          mass = tetrahedron_mass(field.elements().layout().order)](std::int32_t element, std::int64_t record,
                                                                    std::span<const double> state) {
             const std::int32_t cell = field.cell_of(element);
             const std::vector<Mechanism>& mechanisms = mechanisms_of[cell];
             const std::size_t behind = 9 * mass.size();
             const std::int32_t face = field.sea().face_of(cell);
             const Energy energy = energy_of(
                 mass, domain.material[cell], mechanisms, volume[cell],
                 [&](int k, int q) { return state[9 * k + q]; },
                 [&](int k, std::size_t l, int i) {
                     return state[behind + (k * mechanisms.size() + l) * 6 + i];
                 });
             parallel::ExactSum* const of = sums->of(record);
             of[0].add(energy.kinetic);
             of[1].add(energy.elastic);
             of[2].add(face < 0 ? 0.0 : field.sea().energy(face, sums->time_of(record)));
         }});
    const std::span there = std::span(numbers).first(domain.has_sea ? kinds : kinds - 1);
    const auto fill = [comm, sums](SeriesStream::Numbers& values) {
        const std::vector<double> totals = parallel::sum(comm, sums->all());
        for (std::size_t i = 0; i < totals.size(); ++i)
            if (i % kinds < values.size()) values[i % kinds].push_back(totals[i]);
    };
    return {std::make_unique<SeriesStream>(
                section, series_schema(run, there, "Energies", "Energies of an earthquake model"), fill),
            sums};
}

template RecordedStream make_energies(MPI_Comm, const ProjectedCase&, const EnergySection&,
                                      const Attenuation*, const Domain&, Wavefield<float>&);
template RecordedStream make_energies(MPI_Comm, const ProjectedCase&, const EnergySection&,
                                      const Attenuation*, const Domain&, Wavefield<double>&);

}  // namespace groundswell::quake
