#include "groundswell/quake/initial/initial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/quadrature.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/fields.hpp"

namespace groundswell::quake {

namespace {

// The wave field at the start on a grid: variables named as output files name the unknowns; of those that are missing all is 0.
class InitialGrid {
public:
    /// Reads what the region needs, by this rank alone. base::Refusal for what is not of that form.
    InitialGrid(const std::string& path, const gridded::Region& region)
        : grid_(read(netcdf::Reader(path), region)) {}

    /// The unknowns, in the order of the model. base::Refusal where the grid does not reach a place, or has a hole beside it.
    std::array<double, 9> at(const tetra::Point& place) const {
        using Unknowns = std::array<double, 9>;
        const auto where = grid_.around(place, false, "");
        return gridded::SpaceGrid::interpolate(
            where,
            [&](const gridded::SpaceGrid::Index& index) {
                Unknowns unknowns{};
                const auto values = grid_.values(index);
                for (std::size_t v = 0; v < values.size(); ++v) {
                    if (std::isnan(values[v]))
                        base::refuse(
                            grid_.path(), grid_.name(v, index), "(missing)",
                            fmt::format("a number; an element needs it at {}", gridded::show(place)));
                    unknowns[quantity_[v]] = values[v];
                }
                return unknowns;
            },
            [](Unknowns a, const Unknowns& b, double weight) {
                for (int q = 0; q < 9; ++q) a[q] = std::lerp(a[q], b[q], weight);
                return a;
            });
    }

private:
    gridded::SpaceGrid read(const netcdf::Reader& file, const gridded::Region& region) {
        std::vector<gridded::SpaceGrid::Column> columns;
        std::vector<std::string_view> known;
        for (std::size_t q = 0; q < wave_unknowns; ++q) {
            known.push_back(all_fields()[q].names.name);
            const auto* variable = file.find(known.back());
            if (variable == nullptr) continue;
            const bool is_stress = q < Elastic::vx;
            columns.push_back({variable, gridded::unit_of(file, *variable,
                                                          is_stress ? gridded::pressures : gridded::speeds)});
            quantity_.push_back(q);
        }
        if (columns.empty())
            gridded::refuse_variables(file, fmt::format("one or more of {}", fmt::join(known, ", ")));
        return {file, columns, region};
    }

    std::vector<std::size_t> quantity_;  // of each column
    gridded::SpaceGrid grid_;
};

// Speed and polarisation: of the fastest wave, or of the slower one that moves more along the polarisation asked for.
std::pair<double, std::array<double, 3>> wave_in_anisotropic(const WaveSection& wave,
                                                             const Material& material) {
    const Eigen3 waves = eigen_of(material.stiffness->christoffel(wave.direction));
    const auto along = [&](int which) {
        double sum = 0.0;
        for (int i = 0; i < 3; ++i) sum += waves.vector[which][i] * wave.polarisation[i];
        return sum;
    };
    const int which = wave.kind == 'P' ? 2 : std::abs(along(0)) > std::abs(along(1)) ? 0 : 1;
    std::array<double, 3> d = waves.vector[which];
    for (double& one : d) one = along(which) < 0.0 ? -one : one;
    return {std::sqrt(waves.value[which] / material.density), d};
}

using Complex = std::complex<double>;
constexpr Complex i_unit{0.0, 1.0};
constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

}  // namespace

std::array<double, 9> plane_wave(const WaveSection& wave, const Material& material, const tetra::Point& place,
                                 double time) {
    const auto& n = wave.direction;
    if (wave.kind == 'S' && material.is_liquid()) return {};
    double speed = wave.kind == 'P' ? material.vp() : material.vs();
    std::array<double, 3> d = wave.polarisation;
    if (material.is_anisotropic()) std::tie(speed, d) = wave_in_anisotropic(wave, material);
    double ahead = -speed * time;
    for (int j = 0; j < 3; ++j) ahead += n[j] * (place[j] - wave.centre[j]);
    const double shape = wave.shape == WaveSection::Shape::cosine
                             ? std::cos(wave.wave_number * ahead)
                             : std::exp(-0.5 * std::pow(ahead / wave.width, 2));
    const double velocity = wave.velocity * shape, strain = -velocity / speed;
    const double trace = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    const auto stress = [&](int i, int j) {
        double anisotropic = 0.0;
        for (int k = 0; material.is_anisotropic() && k < 9; ++k)
            anisotropic +=
                material.stiffness->matrix()[Elastic::stress(i, j)][Elastic::stress(k / 3, k % 3)] *
                d[k / 3] * n[k % 3];
        if (material.is_anisotropic()) return strain * anisotropic;
        return strain *
               (material.mu * (n[i] * d[j] + d[i] * n[j]) + (i == j ? material.lambda * trace : 0.0));
    };
    return {stress(0, 0), stress(1, 1),    stress(2, 2),    stress(0, 1),   stress(1, 2),
            stress(0, 2), velocity * d[0], velocity * d[1], velocity * d[2]};
}

namespace {

// What a rank's cells need of the file of a case, if it has one.
std::optional<InitialGrid> read_grid(const std::string& file, const tetra::LocalMesh& mesh) {
    if (file.empty()) return std::nullopt;
    gridded::Region region;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        for (const tetra::Point& corner : mesh.cell[cell].place) region.add(corner);
    }
    return InitialGrid(file, region);
}

template <class Real>
void project(const std::vector<WaveSection>& waves, const Attenuation* attenuation, const Domain& domain,
             const std::optional<InitialGrid>& grid, Wavefield<Real>& field) {
    const int order = field.elements().layout().order;
    const auto mass = tetrahedron_mass(order);
    const auto rule = tetrahedron_rule(order + 2);
    std::vector<std::vector<ValueAndGradient<3>>> basis;
    for (const auto& point : rule.point) basis.push_back(tetrahedron_basis(order, point));
    const std::size_t remembered = field.remembered() / mass.size();
    std::vector<RelaxingWave> relaxing;
    Material last;
    Viscoelastic::Compliance<double> compliance{};
    // ζ where nothing relaxes.
    const auto at_rest = [&](const std::array<double, 9>& unknowns) {
        std::array<double, Viscoelastic::strains> strain;
        compliance.strain_of(unknowns.data(), strain.data());
        return strain;
    };
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        const auto& corner = domain.mesh.cell[cell].place;
        const Material& material = domain.material[cell];
        if (remembered > 0 && !(last == material)) {
            relaxing.clear();
            for (const WaveSection& wave : waves) {
                if (wave.shape == WaveSection::Shape::cosine)
                    relaxing.emplace_back(wave, material, *attenuation);
            }
            last = material;
            const Material slowly = relaxed(material, attenuation->mechanisms_of(material));
            compliance = Viscoelastic::Compliance<double>::of(slowly.lambda, slowly.mu);
        }
        std::vector<double> memory(relaxing.empty() ? 0 : mass.size() * remembered, 0.0);
        std::vector<std::array<double, 9>> sum(mass.size(), std::array<double, 9>{});
        for (std::size_t p = 0; p < rule.size(); ++p) {
            tetra::Point place = corner[0];
            for (int d = 0; d < 3; ++d) {
                for (int j = 0; j < 3; ++j) place[j] += rule.point[p][d] * (corner[d + 1][j] - corner[0][j]);
            }
            std::array<double, 9> unknowns{};
            const auto add = [&](const std::array<double, 9>& one) {
                for (int q = 0; q < 9; ++q) unknowns[q] += one[q];
            };
            for (const WaveSection& wave : waves) {
                if (relaxing.empty() || wave.shape != WaveSection::Shape::cosine)
                    add(plane_wave(wave, material, place, 0.0));
            }
            for (const RelaxingWave& wave : relaxing) {
                const auto one = wave.unknowns(place, 0.0);
                add(one);
                const auto kept = wave.memory(place, 0.0);
                const auto strain = at_rest(one);
                for (std::size_t i = 0; i < memory.size(); ++i)
                    memory[i] += rule.weight[p] * basis[p][i / remembered].value *
                                 (kept[i % remembered] - strain[i % strain.size()]) / mass[i / remembered];
            }
            if (grid) add(grid->at(place));
            if (material.is_liquid()) {
                const double mean = (unknowns[0] + unknowns[1] + unknowns[2]) / 3.0;
                for (int q = 0; q < 6; ++q) unknowns[q] = q < 3 ? mean : 0.0;
            }
            for (std::size_t k = 0; k < mass.size(); ++k) {
                for (int q = 0; q < 9; ++q) sum[k][q] += rule.weight[p] * basis[p][k].value * unknowns[q];
            }
        }
        for (std::size_t k = 0; k < mass.size(); ++k) {
            for (double& one : sum[k]) one /= mass[k];
            for (int q = 0; q < 9; ++q)
                field.coefficient(cell, static_cast<int>(k), q) = static_cast<Real>(sum[k][q]);
            const auto strain = at_rest(sum[k]);
            for (std::size_t i = 0; i < remembered; ++i)
                field.memory_of(cell)[(k * remembered + i) * field.lanes()] = static_cast<Real>(
                    strain[i % strain.size()] + (memory.empty() ? 0.0 : memory[k * remembered + i]));
        }
    }
}

}  // namespace

template <class Real>
void set_initial(MPI_Comm comm, const InitialOptions& options, const Attenuation* attenuation,
                 const Domain& domain, Wavefield<Real>& field) {
    if (options.empty()) return;
    parallel::agree(comm, [&] {
        project(options.waves, attenuation, domain, read_grid(options.file, domain.mesh), field);
    });
}

template void set_initial(MPI_Comm, const InitialOptions&, const Attenuation*, const Domain&,
                          Wavefield<float>&);
template void set_initial(MPI_Comm, const InitialOptions&, const Attenuation*, const Domain&,
                          Wavefield<double>&);

RelaxingWave::RelaxingWave(const WaveSection& wave, const Material& material, const Attenuation& attenuation)
    : wave_(wave) {
    omega_ = wave.wave_number * (wave.kind == 'P' ? material.vp() : material.vs());
    // Each time nearer by about a factor of Q.
    for (int i = 0; i < 60; ++i) {
        std::tie(lambda_, mu_) = attenuation.moduli(material, omega_);
        const Complex modulus = wave.kind == 'P' ? lambda_ + 2.0 * mu_ : mu_;
        omega_ = wave.wave_number * std::sqrt(modulus / material.density);
    }
    for (const Mechanism& mechanism : attenuation.mechanisms_of(material))
        relaxing_.push_back(mechanism.frequency);
    const auto &n = wave.direction, &d = wave.polarisation;
    for (int s = 0; s < 6; ++s) {
        const auto [a, b] = pair[s];
        direction_[s] = 0.5 * (n[a] * d[b] + n[b] * d[a]);
    }
}

Complex RelaxingWave::velocity(const tetra::Point& place, double time) const {
    double ahead = 0.0;
    for (int j = 0; j < 3; ++j) ahead += wave_.direction[j] * (place[j] - wave_.centre[j]);
    return wave_.velocity * std::exp(i_unit * (omega_ * time - wave_.wave_number * ahead));
}

std::array<double, 9> RelaxingWave::unknowns(const tetra::Point& place, double time) const {
    const Complex v = velocity(place, time), strain = -wave_.wave_number / omega_ * v;
    const double trace = direction_[0] + direction_[1] + direction_[2];
    std::array<double, 9> q{};
    for (int s = 0; s < 6; ++s)
        q[s] = std::real(strain * (2.0 * mu_ * direction_[s] + (s < 3 ? lambda_ * trace : Complex{})));
    for (int j = 0; j < 3; ++j) q[6 + j] = v.real() * wave_.polarisation[j];
    return q;
}

std::vector<double> RelaxingWave::memory(const tetra::Point& place, double time) const {
    const Complex strain = -wave_.wave_number / omega_ * velocity(place, time);
    std::vector<double> all;
    for (const double own : relaxing_) {
        const Complex part = own / (own + i_unit * omega_) * strain;
        for (const double one : direction_) all.push_back(std::real(part) * one);
    }
    return all;
}

}  // namespace groundswell::quake
