#pragma once

/// Plastic relaxation of a batch of elements, as many as a register holds; all else sees no more of it than memory.
namespace groundswell::quake {

/// A batch. Arrays that kernels see whole start on the boundary of a vector.
template <class Real>
struct PlasticBatch {
    int places;             ///< in an element: as many as it has functions
    Real share;             ///< 1 − exp(−t/T)
    const Real* rock;       ///< [place][YieldingRock][lane]
    const Real* at_places;  ///< [place][function]: the functions at the places
    const Real* through;    ///< [function][place]: the polynomials through values at the places
    Real* state;            ///< [function][quantity][lane]
    /// [lane], of all places together: 2μ times plastic strain that is new, Pa, and μ times the work that it took, Pa².
    double *strain, *work;
};
/// Elements in a batch, at most.
inline constexpr int most_plastic_lanes = 16;

/// Brings the stress nearer to the strength where it is beyond. False where it is nowhere; then `strain` and `work` are not
/// written.
template <class Real>
bool relax_batch(const PlasticBatch<Real>& batch);

}  // namespace groundswell::quake
