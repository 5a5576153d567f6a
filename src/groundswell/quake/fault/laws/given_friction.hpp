#pragma once

/// Friction by a function that stands outside of the laws.
namespace groundswell::quake {

/// Points of a pack of faces at the end of a sub-step. Arrays have `count` values, those of several numbers [number][count]. Faces that
/// fill up a pack stand in it twice.
struct FrictionPoints {
    int count;
    double time, length;      ///< of the end of the sub-step, s; s
    const double* place;      ///< [3] m
    const double* slip;       ///< m, that has weakened the fault so far
    const double* rate;       ///< m s⁻¹, by which it has grown in this sub-step
    const double* normal;     ///< Pa, tension positive
    const double* parameter;  ///< [LawDescription::at_places]
    double* state;            ///< a number for the function to keep; 0 at the start
    double* friction;         ///< that of the law; what the function leaves is felt in the next sub-step
};

/// A function that takes the place of a law's friction: see LawDescription::takes_function.
class GivenFriction {
public:
    virtual ~GivenFriction() = default;
    /// Called by all threads of a rank at once. What fails is kept for tell().
    virtual void change(const FrictionPoints& points) noexcept = 0;
    /// Throws what has failed on this rank.
    virtual void tell() const = 0;
};

}  // namespace groundswell::quake
