#pragma once

#include <array>
#include <span>
#include <string>

/// Rock whose waves have speeds that depend on their direction: 21 constants, which relate its stress to its strain.
namespace groundswell::quake {

using Square3 = std::array<std::array<double, 3>, 3>;
using Square6 = std::array<std::array<double, 6>, 6>;

/// The order in which people state the constants: c11 c12 … c16 c22 … c66, with 4 = yz, 5 = xz, 6 = xy (Voigt).
inline constexpr int elastic_constants = 21;
std::string name_of_constant(int constant);  ///< "c11"

/// A symmetric 3 × 3 matrix's eigenvalues, ascending, and its vectors: [which][axis].
struct Eigen3 {
    std::array<double, 3> value;
    Square3 vector;
};
Eigen3 eigen_of(Square3 symmetric);

/// The inverse of a symmetric positive definite matrix. Else `definite`, the size of the greatest leading part that is positive
/// definite, is below 6, and the rest has no meaning.
struct Inverse6 {
    Square6 matrix;
    int definite;
};
Inverse6 inverse_of(const Square6& symmetric);

/// The matrix of 21 constants, in the order in which people state them: rows and columns xx yy zz yz xz xy.
Square6 matrix_of(std::span<const double> constants);

/// Constants with which no strain is without energy.
class Stiffness {
public:
    /// Pa, in the order of name_of_constant(). They are positive definite.
    explicit Stiffness(std::span<const double> constants);
    /// From the compliance in the order of the stresses, Pa⁻¹.
    static Stiffness of_compliance(const Square6& compliance);

    bool operator==(const Stiffness& other) const { return stiffness_ == other.stiffness_; }

    /// Matrices in the order of the stresses (xx yy zz xy yz xz), for strains whose shears count twice.
    const Square6& matrix() const { return stiffness_; }
    const Square6& compliance() const { return compliance_; }

    /// c_ijkl d_j d_l, Pa: the Christoffel matrix of waves along d, times the density.
    Square3 christoffel(const std::array<double, 3>& d) const;
    /// The impedance of a plane normal to n, kg m⁻² s⁻¹: waves that leave along n pull by −Z times their velocity. It is
    /// (ρ Γ)^½ with the Christoffel matrix Γ.
    Square3 impedance(double density, const std::array<double, 3>& n) const;

    /// The moduli ρ v² of the fastest wave in any direction and of the slowest, Pa.
    struct Range {
        double least, greatest;
    };
    Range moduli() const;

private:
    Stiffness() = default;
    Square6 stiffness_, compliance_;
};

}  // namespace groundswell::quake
