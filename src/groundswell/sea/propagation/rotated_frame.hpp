#pragma once

#include <cstddef>

#include "groundswell/sea/lanes.hpp"

/// Frames of directions near the poles, and spectra carried from one frame to another.
namespace groundswell::sea {

/// Angle (rad, anticlockwise, in (−2π, 2π)) from the local east at (lon, lat) to the east at (centre_lon,
/// centre_lat) carried there along the great circle that joins the two points. Defined at the poles: east is
/// (−sin lon, cos lon, 0).
double carried_east(double centre_lon, double centre_lat, double lon, double lat);

/// Turns spectra by a fixed angle: each bin's content is moved as a whole and shared out over the bins that
/// it overlaps, with a piecewise linear limited profile inside the bin (monotonised central slope, van Leer
/// 1977, J. Comput. Phys. 23, 276–299). The sum over directions is kept, nothing becomes negative, and an
/// isotropic spectrum stays so.
class SpectrumRotation {
public:
    /// `angle` (rad, any) is added to every direction of `directions` equal bins.
    SpectrumRotation(double angle, int directions);

    /// Turns `rows` rows: to[row][q] += what comes from bin p of the row that stands at first_row(work) + row · pitch(); both
    /// rows are [directions]. `work`: memory of work_size() values. Up to 64 bytes behind `to` are read and written as they are.
    void add(Real* to, int rows, Real* work) const;
    static int pitch(int directions);
    static std::size_t work_size(int directions, int rows);
    static Real* first_row(Real* work) { return work + lanes::table_width; }

private:
    int directions_;
    int shift_;  ///< whole bins, 0 … directions-1
    Real part_;  ///< and this part of a bin, in [0, 1]
};

}  // namespace groundswell::sea
