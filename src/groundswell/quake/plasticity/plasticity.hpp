#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/plasticity/kernel.hpp"
#include "groundswell/quake/plasticity/yield.hpp"

namespace groundswell::quake {

/// Settings with which rock is made plastic.
struct PlasticityInput {
    double relaxation_time = 0.0;  ///< T, s
    /// Parameters at a place, where its shear modulus is `mu`, Pa.
    std::function<YieldingRock<double>(const tetra::Point& place, double mu)> at;
    bool by_element = false;  ///< rock is everywhere in an element what it is at its centre
    std::string stated_at;    ///< in the case, FILE:LINE
};

/// All that Plasticity computes with, and what it keeps: of a device that does it. Arrays as in PlasticBatch.
template <class Real>
struct PlasticParts {
    int places, lanes;  ///< in an element; elements in a batch
    double relaxation_time;
    std::span<const Real> rock, at_places, through;
    std::span<const double> mu;      ///< [batch][lane] Pa
    std::span<double> strain, work;  ///< [batch][lane]

    Real share(double seconds) const { return static_cast<Real>(-std::expm1(-seconds / relaxation_time)); }
};

/// Rock that yields. After each step of an element its stress is looked at, and brought nearer to the strength, at as many
/// places as it has functions, and the polynomials go through what that gives.
template <class Real>
class Plasticity {
public:
    /// `element_of`: of the owned cells. base::Refusal on all ranks where all of the rock yields at once, and for what
    /// `input` refuses on any. `kernel`: compiled. Collective.
    Plasticity(MPI_Comm comm, const Elements<Real>& elements, const tetra::LocalMesh& mesh,
               std::span<const Material> material, std::span<const std::int32_t> element_of,
               const PlasticityInput& input, bool (*kernel)(const PlasticBatch<Real>& batch));

    /// Numbers that it keeps for each element.
    static constexpr std::size_t numbers_of_element(int order) {
        return basis_size(order) * sizeof(YieldingRock<double>) / sizeof(double);
    }

    /// The end of a step of some batches, of so many seconds.
    void relax(Elements<Real>& elements, BatchRange batches, double seconds);

    /// Plastic strain of an owned cell since the start: the mean of the integral of √(½ ε̇:ε̇) of the plastic strain rate ε̇, 1; and
    /// the work that it took, J m⁻³.
    double& strain(std::int32_t element) { return strain_[place(element)]; }
    double& work(std::int32_t element) { return work_[place(element)]; }
    double work(std::int32_t element) const { return work_[place(element)]; }
    /// J m⁻³, the most that yielding may have given the waves: their energy is that of the change of stress alone, so they gain
    /// what the initial stress has done, at most 2 τ₀ times the strain, less the work.
    double given_back(std::int32_t element) const {
        return 2.0 * initial_tau_[element] * strain_[place(element)] - work(element);
    }

    PlasticParts<Real> parts() {
        return {static_cast<int>(places_.at.size()),
                lanes_,
                relaxation_time_,
                rock_.span(),
                value_,
                function_,
                mu_,
                strain_,
                work_};
    }

private:
    struct Places {  // in an element
        explicit Places(int order);
        std::vector<Point3> at;
        std::vector<double> value;     // [place][function]
        std::vector<double> function;  // [function][place]: the polynomials through values
    };

    std::size_t place(std::int32_t element) const {
        return static_cast<std::size_t>(batches_.batch(element)) * lanes_ + batches_.lane(element);
    }

    BatchPlaces batches_;
    int lanes_;
    double relaxation_time_;
    bool (*const relax_)(const PlasticBatch<Real>& batch);
    Places places_;
    std::vector<Real> value_, function_;      // those of the places
    exec::Array<Real> rock_;                  // [batch][place][YieldingRock][lane]
    std::vector<double> mu_, strain_, work_;  // [batch][lane]
    std::vector<double> initial_tau_;         // [element] Pa, τ of the initial stress, at most
};

}  // namespace groundswell::quake
