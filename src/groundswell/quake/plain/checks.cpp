#include "groundswell/quake/plain/checks.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "groundswell/quake/basis/quadrature.hpp"
#include "groundswell/quake/plain/fault_checks.hpp"
#include "groundswell/quake/plain/series.hpp"

namespace groundswell::quake {

namespace {

// Stresses of MPa and velocities of decimetres a second, as waves in rock have them; strains that go with these.
constexpr double scale_of(int quantity) {
    return quantity < 6 ? 1e6 : 0.1;
}
constexpr double of_strain = 1e-5;

template <class Real>
class Checking {
public:
    Checking(Wavefield<Real>& field, const tetra::LocalMesh& mesh, std::span<const Material> material,
             const Attenuation* attenuation, int clusters)
        : field_(field),
          mesh_(mesh),
          material_(material),
          attenuation_(attenuation),
          blocks_(clusters * blocks_of_cluster),
          order_(field.elements().layout().order),
          basis_(basis_size(order_)),
          seconds_(field.step()) {
        const double allowed = sizeof(Real) == sizeof(double) ? 1e-12 : 1e-5;
        for (const char* name : {"predictor", "local", "neighbour", "fault sides", "fault friction"})
            checks_.push_back({name, allowed});
    }

    std::vector<exec::KernelCheck> all() {
        fill();
        choose();
        for (const std::int32_t cell : cells_) {
            series(cell);
            for (const auto& across : mesh_.across[cell])
                if (across.cell >= 0) series(across.cell);
        }
        check_predictor();
        if (auto* fault = field_.fault()) {
            for (int block = 0; block < blocks_; ++block) fault->look(field_.elements(), block);
            plain::check_sides(
                *fault, mesh_, order_, seconds_,
                [&](std::int32_t cell) -> const plain::Series& { return series(cell); }, checks_[3]);
        }
        for (int block = 0; block < blocks_; ++block)
            field_.elements().predict(block, static_cast<Real>(seconds_));
        check_local();
        if (auto* fault = field_.fault())
            plain::check_friction(*fault, field_.elements(), mesh_, seconds_, checks_[4]);
        check_neighbour();
        clear();
        return checks_;
    }

private:
    void fill() {
        for (std::int32_t cell = 0; cell < field_.cells(); ++cell) {
            std::mt19937_64 generator(static_cast<std::uint64_t>(mesh_.id[cell]) + 1);
            std::uniform_real_distribution<double> between(-1.0, 1.0);
            for (int k = 0; k < basis_; ++k) {
                for (int q = 0; q < 9; ++q)
                    field_.coefficient(cell, k, q) = static_cast<Real>(scale_of(q) * between(generator));
                if (material_[cell].is_liquid()) bear_no_shear(field_, cell, k);
            }
            for (std::size_t i = 0; i < field_.remembered(); ++i)
                field_.memory_of(cell)[i * field_.lanes()] =
                    static_cast<Real>(of_strain * between(generator));
        }
    }

    void clear() {
        for (std::int32_t cell = 0; cell < field_.cells(); ++cell) {
            for (int i = 0; i < 9 * basis_; ++i) field_.state_of(cell)[i * field_.lanes()] = Real{};
            for (std::size_t i = 0; i < field_.remembered(); ++i)
                field_.memory_of(cell)[i * field_.lanes()] = Real{};
        }
    }

    // Those whose neighbours are of this rank and step with them, with no fault between.
    bool can_be_looked_at(std::int32_t cell) const {
        for (int f = 0; f < 4; ++f) {
            const std::int32_t across = mesh_.across[cell][f].cell;
            if (tetra::is_fault(mesh_.cell[cell].boundary[f])) return false;
            if (across == mesh::nothing) continue;
            if (across < 0 || across >= mesh_.owned || mesh_.group_of(across) != mesh_.group_of(cell))
                return false;
        }
        return true;
    }
    void choose() {
        std::vector<std::int32_t> all;
        for (std::int32_t cell = 0; cell < mesh_.owned; ++cell)
            if (can_be_looked_at(cell)) all.push_back(cell);
        const std::size_t count = std::min<std::size_t>(plain::looked_at, all.size());
        for (std::size_t i = 0; i < count; ++i) cells_.push_back(all[i * all.size() / count]);
    }

    Element element(std::int32_t cell) const {
        Element element{
            tetra::geometry_of(mesh_.cell[cell].place), material_[cell], mesh_.cell[cell].boundary, {}, {}};
        if (attenuation_ != nullptr) element.mechanisms = attenuation_->mechanisms_of(material_[cell]);
        return element;
    }
    std::vector<double> state(std::int32_t cell) const {
        std::vector<double> values;
        for (int i = 0; i < 9 * basis_; ++i) values.push_back(field_.coefficient(cell, i / 9, i % 9));
        return values;
    }
    // ϑ of the mechanisms, the rates of their ζ.
    std::vector<double> memory(std::int32_t cell) const {
        std::vector<double> values;
        if (attenuation_ == nullptr) return values;
        const Material& m = material_[cell];
        const auto mechanisms = attenuation_->mechanisms_of(m);
        for (int k = 0; k < basis_; ++k) {
            const auto zeta = [&](std::size_t l, int i) {
                return static_cast<double>(
                    field_.memory_of(cell)[((k * mechanisms.size() + l) * 6 + i) * field_.lanes()]);
            };
            std::array<double, 6> strain;  // of a stress, had nothing relaxed
            for (int i = 0; i < 6; ++i) {
                strain[i] = field_.coefficient(cell, k, i);
                for (std::size_t l = 0; l < mechanisms.size(); ++l) {
                    strain[i] += 2.0 * mechanisms[l].mu * zeta(l, i);
                    if (i < 3) strain[i] += mechanisms[l].lambda * (zeta(l, 0) + zeta(l, 1) + zeta(l, 2));
                }
            }
            const double trace = strain[0] + strain[1] + strain[2];
            for (int i = 0; i < 6 && !m.is_liquid(); ++i) {
                if (i < 3) strain[i] -= m.lambda / (3.0 * m.lambda + 2.0 * m.mu) * trace;
                strain[i] /= 2.0 * m.mu;
            }
            if (m.is_liquid()) strain = {};
            for (std::size_t l = 0; l < mechanisms.size(); ++l) {
                for (int i = 0; i < 6; ++i)
                    values.push_back(mechanisms[l].frequency * (strain[i] - zeta(l, i)));
            }
        }
        return values;
    }
    const plain::Series& series(std::int32_t cell) {
        const auto [at, is_new] = series_.try_emplace(cell);
        if (is_new) at->second = plain::series_of(order_, element(cell), state(cell), memory(cell));
        return at->second;
    }
    void compare(exec::KernelCheck& check, std::span<const double> expected, std::span<const double> found) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double scale = scale_of(static_cast<int>(i % 9));
            check.compare(expected[i] / scale, found[i] / scale);
        }
    }

    void check_predictor() {
        auto& elements = field_.elements();
        const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
        exec::Array<Real> derivatives(elements.layout().derivatives);
        for (std::int32_t e = 0; e < elements.size(); ++e) {
            const std::int32_t cell = field_.cell_of(e);
            if (std::ranges::find(cells_, cell) == cells_.end()) continue;
            elements.differentiate_batch(elements.places().batch(e), derivatives.data());
            const Real* from = derivatives.data() + elements.places().lane(e);
            double factor = 1.0;
            for (int k = 0; k < order_; ++k) {
                for (int i = 0; i < basis_size(order_ - k) * 9; ++i, from += lanes) {
                    const double scale = scale_of(i % 9) / factor;
                    checks_[0].compare(series(cell).state[k][i] / scale, static_cast<double>(*from) / scale);
                }
                factor *= seconds_ / (k + 1);
            }
            ++checks_[0].cells;
        }
    }

    void check_local() {
        for (const std::int32_t cell : cells_) {
            compare(checks_[1], plain::sum_of(series(cell).rate, seconds_, 0, order_ + 1), state(cell));
            const std::vector<double> remembered = memory(cell);
            const std::vector<double> expected = plain::sum_of(series(cell).memory, seconds_, 0, order_ + 1);
            const auto mechanisms = element(cell).mechanisms;
            for (std::size_t i = 0; i < remembered.size(); ++i) {
                const double scale = of_strain * mechanisms[i / 6 % mechanisms.size()].frequency;
                checks_[1].compare(expected[i] / scale, remembered[i] / scale);
            }
            ++checks_[1].cells;
        }
    }

    // What comes in through the faces: of the jump between both sides the waves that run inwards.
    std::vector<double> entering(std::int32_t cell) {
        const Element e = element(cell);
        const auto mass = tetrahedron_mass(order_);
        const auto rule = triangle_rule(order_ + 1);
        std::vector<double> change(static_cast<std::size_t>(9 * basis_));
        const auto at = [&](const std::vector<double>& of, int face, Point2 point) {
            const auto phi = tetrahedron_basis(order_, on_face(face, point));
            std::array<double, 9> values{};
            for (int k = 0; k < basis_; ++k) {
                for (int i = 0; i < 9; ++i) values[i] += phi[k].value * of[k * 9 + i];
            }
            return values;
        };
        const auto own = plain::sum_of(series(cell).state, seconds_, 1, order_);
        for (int f = 0; f < 4; ++f) {
            const auto across = mesh_.across[cell][f];
            const bool inner = across.cell >= 0;
            const auto& n = e.geometry.normal[f];
            const plain::Square flux = plain::product(
                plain::jacobian(e.material, n),
                plain::waves_that_enter(e.material, inner ? material_[across.cell] : e.material, n));
            const plain::Square turned = plain::mirror(n);
            const auto beyond = inner ? plain::sum_of(series(across.cell).state, seconds_, 1, order_) : own;
            const double scale = 2.0 * e.geometry.area[f] / (6.0 * e.geometry.volume);
            for (std::size_t p = 0; p < rule.size(); ++p) {
                const auto here = at(own, f, rule.point[p]);
                std::array<double, 9> jump{}, through{};
                if (inner) jump = at(beyond, across.face, rule.point[p]);
                if (!inner && e.boundary[f] == tetra::Boundary::free) {
                    for (int i = 0; i < 9; ++i) {
                        for (int j = 0; j < 9; ++j) jump[i] += turned[i][j] * here[j];
                    }
                }
                for (int i = 0; i < 9; ++i) jump[i] -= here[i];
                for (int i = 0; i < 9; ++i) {
                    for (int j = 0; j < 9; ++j) through[i] += flux[i][j] * jump[j];
                }
                const auto phi = tetrahedron_basis(order_, on_face(f, rule.point[p]));
                for (int k = 0; k < basis_; ++k) {
                    for (int i = 0; i < 9; ++i)
                        change[k * 9 + i] -= scale * rule.weight[p] * phi[k].value / mass[k] * through[i];
                }
            }
        }
        return change;
    }

    void check_neighbour() {
        std::map<std::int32_t, std::vector<double>> expected;
        for (const std::int32_t cell : cells_) {
            expected[cell] = entering(cell);
            const std::vector<double> before = state(cell);
            for (std::size_t i = 0; i < before.size(); ++i) expected[cell][i] += before[i];
        }
        for (int block = 0; block < blocks_; ++block) field_.elements().correct(block);
        for (const std::int32_t cell : cells_) {
            compare(checks_[2], expected[cell], state(cell));
            ++checks_[2].cells;
        }
    }

    Wavefield<Real>& field_;
    const tetra::LocalMesh& mesh_;
    std::span<const Material> material_;
    const Attenuation* attenuation_;
    int blocks_, order_, basis_;
    double seconds_;
    std::vector<std::int32_t> cells_;
    std::map<std::int32_t, plain::Series> series_;
    std::vector<exec::KernelCheck> checks_;
};

}  // namespace

template <class Real>
std::vector<exec::KernelCheck> check_kernels(Wavefield<Real>& field, const tetra::LocalMesh& mesh,
                                             std::span<const Material> material,
                                             const Attenuation* attenuation, int clusters) {
    return Checking<Real>(field, mesh, material, attenuation, clusters).all();
}

template std::vector<exec::KernelCheck> check_kernels(Wavefield<float>&, const tetra::LocalMesh&,
                                                      std::span<const Material>, const Attenuation*, int);
template std::vector<exec::KernelCheck> check_kernels(Wavefield<double>&, const tetra::LocalMesh&,
                                                      std::span<const Material>, const Attenuation*, int);

}  // namespace groundswell::quake
