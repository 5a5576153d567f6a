#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// A material as people state it: its density, and the speeds of its waves or its two moduli.
struct StatedRock {
    double density = 0.0;  ///< kg m⁻³
    double first = 0.0;    ///< vp, m s⁻¹, or λ, Pa
    double second = 0.0;   ///< vs, m s⁻¹, or μ, Pa
    bool moduli = false;   ///< λ and μ
    double loss_p = 0.0;   ///< 1/Q of P waves; 0: they lose nothing
    double loss_s = 0.0;   ///< 1/Q of S waves
    /// In place of `first` and `second` the 21 of anisotropic rock, Pa, as name_of_constant() orders them; empty: isotropic.
    std::vector<double> constants{};

    Material material() const;
    /// The same, but of anisotropic rock the density and the constants alone: to take means of.
    Material sample() const;
};

/// Between two rocks that are stated alike, each value by itself: `weight` 0 gives `a` and 1 `b`, to the bit.
StatedRock between(const StatedRock& a, const StatedRock& b, double weight);

/// 1/Q from Q, where 0 says that nothing is lost.
inline double loss_of(double quality) {
    return quality == 0.0 ? 0.0 : 1.0 / quality;
}

/// The modulus of compression, Pa.
double bulk_modulus(const Material& material);

/// A flaw that no rock can have, or with which nothing can be computed: which value is wrong, and what was expected of it.
struct Flaw {
    std::string key;  ///< density, vp, vs, lambda, mu, qp, qs, or one of the 21 constants
    double value = 0.0;
    std::string expected;
};

/// The flaw of a rock that cannot carry waves: density and the modulus of compression must be above zero, that of shear too or be
/// zero, which is water, and neither may gain energy; the 21 constants must be positive definite. What lies between() two sound rocks is sound, but for a trace of the last.
std::optional<Flaw> flaw_of(const StatedRock& rock);

/// Effective parameters of a mixture of rocks: the arithmetic mean of the density, the harmonic ones of the moduli of shear and
/// compression (P. Moczo et al. 2002, doi:10.1785/0120010167), and what those lose: of complex moduli with a small loss. Of
/// anisotropic rock, the mean compliance, which is the same where that is isotropic. Of one rock it is that rock, to the bit. Of water and rock together there is none.
class Mean {
public:
    void add(double weight, const Material& rock) {
        if (weights_ == 0.0) first_ = rock;
        if (rock.is_anisotropic()) return add_anisotropic(weight, rock);
        is_mixture_ = is_mixture_ || rock.is_liquid() != first_.is_liquid();
        pure_ = pure_ && rock.density == first_.density && rock.lambda == first_.lambda &&
                rock.mu == first_.mu && rock.loss_p == first_.loss_p && rock.loss_s == first_.loss_s;
        weights_ += weight;
        density_ += weight * rock.density;
        compressibility_ += weight / bulk_modulus(rock);
        shear_compliance_ += weight / rock.mu;
        const double compliance = weight / (rock.lambda + 2.0 * rock.mu);
        compliance_ += compliance;
        loss_p_ += compliance * rock.loss_p;
        loss_s_ += weight / rock.mu * rock.loss_s;
    }
    /// Whether water and rock were added.
    bool is_mixture() const { return is_mixture_; }
    /// After one rock or more, of weights above 0; only of what is no mixture.
    Material value() const {
        if (first_.is_anisotropic()) return anisotropic_value();
        if (pure_) return first_;
        if (first_.is_liquid()) return {density_ / weights_, weights_ / compressibility_};
        const double mu = weights_ / shear_compliance_;
        return {density_ / weights_, weights_ / compressibility_ - 2.0 / 3.0 * mu, mu, loss_p_ / compliance_,
                loss_s_ / shear_compliance_};
    }

private:
    // An entry of a case has rock of one kind, and so has what is mixed.
    void add_anisotropic(double weight, const Material& rock) {
        pure_ = pure_ && rock.density == first_.density && *rock.stiffness == *first_.stiffness;
        weights_ += weight;
        density_ += weight * rock.density;
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) compliances_[i][j] += weight * rock.stiffness->compliance()[i][j];
        }
    }
    Material anisotropic_value() const {
        if (pure_) return anisotropic(first_.density, *first_.stiffness);
        Square6 mean = compliances_;
        for (auto& row : mean) {
            for (double& one : row) one /= weights_;
        }
        return anisotropic(density_ / weights_, Stiffness::of_compliance(mean));
    }

    Material first_;
    bool pure_ = true, is_mixture_ = false;
    double weights_ = 0.0, density_ = 0.0, compressibility_ = 0.0, shear_compliance_ = 0.0;
    Square6 compliances_{};
    double compliance_ = 0.0, loss_p_ = 0.0, loss_s_ = 0.0;
};

/// Rock that depends on the height z alone.
struct RockProfile {
    struct Row {
        double z = 0.0;  ///< m, up
        StatedRock rock;
    };
    std::vector<Row> rows;  ///< from the top down, at least one
    /// Straight between rows, and the outermost rows' beyond; else each row is the top of a layer, and the first
    /// layer goes on above.
    bool gradient = false;

    StatedRock at(double z) const;
};

/// The part of a tetrahedron's volume that lies below a height.
double part_below(const std::array<tetra::Point, 4>& corners, double z);

/// The mean over a tetrahedron of which layers take their exact parts: see Mean.
Mean mean_of_layers(const std::vector<RockProfile::Row>& layers, const std::array<tetra::Point, 4>& corners);

}  // namespace groundswell::quake
