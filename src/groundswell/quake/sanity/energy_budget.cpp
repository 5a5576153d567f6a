#include "groundswell/quake/sanity/energy_budget.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/energy.hpp"

namespace groundswell::quake {

namespace {

constexpr std::size_t most_lanes = 32;  // elements in a batch, of any processor or device

// In anisotropic rock each stress counts by itself.
template <class Real>
double energy_of_anisotropic(const Domain& domain, const Wavefield<Real>& field,
                             const std::vector<double>& mass, std::int32_t cell) {
    const Energy energy = energy_of(mass, domain.material[cell], field.volume_of(cell), [&](int k, int q) {
        return static_cast<double>(field.coefficient(cell, k, q));
    });
    return energy.kinetic + energy.elastic;
}

// Rock by batches, as it lies in memory.
template <class Real>
void find_energy(const Domain& domain, const Wavefield<Real>& field, const std::vector<double>& mass,
                 std::vector<double>& of_cells) {
    const Elements<Real>& elements = field.elements();
    const BatchPlaces& places = elements.places();
    exec::for_each_cell(0, places.batches(), [&](std::int32_t batch) {
        std::array<SquaresOfElement, most_lanes> sums;
        elements.squares_of(batch, mass, sums.data());
        const std::int32_t begin = places.element_begin(batch);
        for (std::int32_t e = begin; e < places.element_begin(batch + 1); ++e) {
            const std::int32_t cell = field.cell_of(e);
            if (domain.material[cell].is_anisotropic()) {
                of_cells[cell] = energy_of_anisotropic(domain, field, mass, cell);
                continue;
            }
            of_cells[cell] = energy_of_squares(domain.material[cell], field.volume_of(cell), sums[e - begin]);
        }
    });
}

double impedance_to_shear(const Domain& domain, const FaultPlace& place) {
    return 1.0 / (1.0 / domain.material[place.cell[0]].zs() + 1.0 / domain.material[place.cell[1]].zs());
}

void add_released(const Fault& fault, parallel::ExactSum& sum) {
    const FaultRule& rule = fault.rule();
    fault.bring();
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        for (int p = 0; p < rule.points(); ++p)
            sum.add(2.0 * rule.place.weight[p] * place.area *
                    fault.state(static_cast<std::int32_t>(f), released_work, p));
    }
}

}  // namespace

template <class Real>
EnergyBudget energy_budget(MPI_Comm comm, const Domain& domain, const Wavefield<Real>& field,
                           std::vector<double>& of_cells) {
    const auto mass = tetrahedron_mass(field.elements().layout().order);
    of_cells.resize(field.cells());
    find_energy(domain, field, mass, of_cells);
    for (std::int32_t cell = 0; !field.sea().empty() && cell < field.cells(); ++cell) {
        const std::int32_t face = field.sea().face_of(cell);
        if (face >= 0) of_cells[cell] += field.sea().energy(face);
    }
    std::array<parallel::ExactSum, 5> sums;
    sums[0].add(of_cells);
    sums[1].add(field.work_of_sources());
    if (const auto* fault = field.fault()) add_released(*fault, sums[2]);
    for (std::int32_t cell = 0; field.is_plastic() && cell < field.cells(); ++cell) {
        sums[3].add(field.volume_of(cell) * field.given_back(cell));
        sums[4].add(field.volume_of(cell) * field.plastic_work(cell));
    }
    const std::vector<double> of_all = parallel::sum(comm, sums);
    return {of_all[0], of_all[1], of_all[2], of_all[3], of_all[4]};
}

double power_of_creep(MPI_Comm comm, const Domain& domain, const Fault& fault) {
    std::vector<double> power;
    for (const FaultPlace& place : fault.places()) {
        if (place.mine)
            power.push_back(place.area * impedance_to_shear(domain, place) * rupture_rate * rupture_rate);
    }
    return parallel::sum(comm, power);
}

double fastest_slip(MPI_Comm comm, const Domain& domain, const Fault& fault) {
    constexpr double always = std::numeric_limits<double>::max();
    double fastest = 0.0;
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        for (int p = 0; p < fault.rule().points(); ++p) {
            const auto acting = [&](int component) {
                const auto face = static_cast<std::int32_t>(f);
                return std::max(std::abs(fault.initial(face, component, p)),
                                std::abs(fault.acting(face, component, p, always)));
            };
            const double traction = std::hypot(acting(0), acting(1), acting(2));
            fastest = std::max(fastest, traction / impedance_to_shear(domain, fault.places()[f]));
        }
    }
    return parallel::max(comm, fastest);
}

template EnergyBudget energy_budget(MPI_Comm, const Domain&, const Wavefield<float>&, std::vector<double>&);
template EnergyBudget energy_budget(MPI_Comm, const Domain&, const Wavefield<double>&, std::vector<double>&);

}  // namespace groundswell::quake
