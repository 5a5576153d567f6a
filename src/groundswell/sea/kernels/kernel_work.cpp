#include "groundswell/sea/kernels/kernel_work.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

namespace {

constexpr double quotient_operations = 4.0, exponential_operations = 24.0;
constexpr double edges_of_cell = 6.0;  // of a cell: all but a few are hexagons
constexpr double faces_of_cell = 3.0;  // each is that of two cells

// Linear functions inside cells and bins, once for each bin (propagation/plain.cpp, fill()).
double profile_operations(bool limiter) {
    const double invariant = 1.0;
    const double gradient =
        edges_of_cell * (1.0 + 2.0 + 2.0);  // a difference, and what it adds to either component
    const double slope = 4.0;               // to the next direction: two differences and their mean
    const double change = 4.0 + 5.0;        // by half a step of travel, and of turning
    const double half = 1.0;
    double all = invariant + gradient + slope + change + half;
    if (!limiter) return all;
    const double extremes = edges_of_cell * 2.0;          // of the neighbours
    const double to_edges = edges_of_cell * (3.0 + 2.0);  // change to an edge, largest rise and fall
    const double scale = 2.0 + 2.0 * quotient_operations + 1.0;
    const double central = 6.0;            // no steeper than twice the lesser of both differences
    const double reach = 4.0 + 3.0 + 1.0;  // to the faces and in time, against the room that there is
    const double keep = quotient_operations + 6.0;  // of what is kept, and of five values
    return all + extremes + to_edges + scale + central + reach + keep;
}

}  // namespace

double lanes_filled(int directions) {
    const int lanes = exec::register_bytes(exec::instruction_set()) / static_cast<int>(sizeof(Real));
    const int registers = (directions + lanes - 1) / lanes;
    return static_cast<double>(directions) / (registers * lanes);
}

KernelWork propagation_work(const PropagationOptions& options) {
    // Read, read once more as a neighbour's, written.
    constexpr double bytes = 3.0 * sizeof(Real);
    const bool upwind = options.scheme == PropagationScheme::upwind;
    // A face: its strength in this direction times what stands upwind of it, taken from one cell and given to another. In between
    // bins of direction the strength has two parts, of the gradients along x and y.
    const double face_value = upwind ? 0.0 : 4.0, side_value = upwind ? 0.0 : 2.0;
    // What spreads over a face: a difference, how much of it in this direction, taken from one cell and given to another.
    const double spread = !upwind && options.swell_age > 0.0 ? 1.0 + 2.0 + 2.0 : 0.0;
    const double flux =
        faces_of_cell * (1.0 + face_value + 1.0 + 2.0 + spread) + (3.0 + side_value + 1.0 + 2.0);
    const double profile = upwind ? 1.0 : profile_operations(options.limiter);
    return {profile + flux + 1.0, bytes};
}

KernelWork term_work(std::string_view term, const PhysicsOptions& physics, int directions) {
    if (term == "four_wave") {
        // Energy at (1 ± λ)f: two rows mixed, then two directions in each of the two mirror images.
        const double sought = 2.0 * (3.0 + 2.0 * 3.0);
        // The transfer and its three derivatives in each image, with factors that both share.
        const double interaction = 2.0 * (5.0 + 1.0 + 3.0 + 3.0 + 3.0) + 3.0;
        // Transfers and derivatives as they come in from either side: two directions and images, then two rows.
        const double given = 2.0 * 2.0 * (5.0 + 4.0);
        const double own = 3.0 + 2.0;
        return {sought + interaction + given + own, 0.0};
    }
    if (term == "wind_input") {
        // Growth (Janssen) in the half of the directions that look along the wind: exponent, its fourth power with the felt
        // wind, the exponential, and what it takes of the wind along x and y; all of it twice, for the stress that the waves take
        // changes the wind that they feel. The dissipation of swell; and both added up.
        const double growth = 2.0 + 3.0 + exponential_operations + 3.0, stress = 1.0 + 1.0 + 4.0;
        const double swell = 2.0 + 1.0;
        return {2.0 * 0.5 * (growth + stress) + swell + 3.0, 0.0};
    }
    if (term == "whitecapping") {
        // Saturation: directions on both sides share a weight. Then the excess over the threshold squared, and added up. The
        // cumulative term works where longer waves break, which nobody knows beforehand.
        const double half = physics.value("saturation_half_angle") * base::degree;
        const int reach =
            std::min(static_cast<int>(std::lround(half * directions / base::two_pi)), directions / 2 - 1);
        return {1.0 + 3.0 * reach + 2.0 + 3.0 + 3.0 + 3.0, 0.0};
    }
    return {};
}

KernelWork source_work(const PhysicsOptions& physics, int directions) {
    // Energy from action and its sum; damping and change, bounded on both sides; decay; what was gained and withheld; the sum
    // once more; action from energy.
    const double integration = 2.0 + (2.0 + 1.0 + 1.0 + quotient_operations) + 2.0 + 3.0 + 4.0 + 1.0 + 1.0;
    KernelWork all{integration, 2.0 * sizeof(Real)};
    for (const std::string& term : physics.terms) all = all + term_work(term, physics, directions);
    return all;
}

}  // namespace groundswell::sea
