#pragma once

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/lanes.hpp"

/// Frames of directions near the poles, and spectra carried from one frame to another.
namespace groundswell::sea {

/// Angle (rad, anticlockwise, in (−2π, 2π)) from the local east at (lon, lat) to the east at (centre_lon,
/// centre_lat) carried there along the great circle that joins the two points. Defined at the poles: east is
/// (−sin lon, cos lon, 0).
double carried_east(double centre_lon, double centre_lat, double lon, double lat);

/// An angle by which spectra turn: each bin's content is moved as a whole and shared out over the bins that it overlaps, with a
/// piecewise linear limited profile inside the bin (monotonised central slope, van Leer 1977, J. Comput. Phys. 23, 276–299). The
/// sum over directions is kept, nothing becomes negative, and an isotropic spectrum stays so.
struct SpectrumRotation {
    /// `angle` (rad, any) is added to every direction of `directions` equal bins.
    SpectrumRotation(double angle, int directions);

    int shift;  ///< whole bins, 0 … directions-1
    Real part;  ///< and this part of a bin, in [0, 1]
};

/// Rows of spectra that turn together, and the memory for it: of one thread. They stay in the first-level cache.
class TurningRows {
public:
    static constexpr int at_once = 7;

    explicit TurningRows(int directions);

    /// From now on rows turn by `rotation`, and hold something at no other directions than first … first+count-1, of which those
    /// from `directions` on are the first of the circle. 0 ≤ first < directions, 0 ≤ count < directions.
    void begin(const SpectrumRotation& rotation, int first, int count);
    /// Sets row `i` < at_once to a[d]·b[d]·factor. Up to 64 bytes behind a[directions-1] are read, and any number may stand there;
    /// a[d] = 0 where the row has nothing.
    void set(int i, const Real* a, const Real* b, Real factor);
    /// Adds to each of to[rows][directions] what has become of the row. Up to 64 bytes behind are read and written as they are.
    void add(Real* to, int rows);
    /// Sets to[directions] to what becomes of a row that may hold something at all directions. Up to 64 bytes behind either are read, behind
    /// `to` any number is written.
    void turn(const SpectrumRotation& rotation, const Real* from, Real* to);

private:
    Real* values(int i) { return values_.data() + lanes::table_width + i * circle_; }
    Real* tilts(int i) { return tilts_.data() + lanes::table_width + i * half_; }
    Real* turned(int i) { return turned_.data() + i * circle_; }

    int directions_, circle_, half_;
    SpectrumRotation rotation_;
    int first_ = 0, count_ = 0;
    exec::Array<Real> values_;  // [at_once][circle_] twice round the circle
    exec::Array<Real> tilts_;  // [at_once][half_] from the first direction of the window on: slopes, weighted
    exec::Array<Real> turned_;  // [at_once][circle_] twice round the circle, the window alone filled
};

}  // namespace groundswell::sea
