#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/elements/elements.hpp"

namespace groundswell::quake {

namespace {

// Two lanes at once, as many as any batch has: with them the sums stay in the registers of every processor.
constexpr std::size_t lanes_at_once = 2;
using Pair [[gnu::vector_size(lanes_at_once * sizeof(double))]] = double;

template <class Real>
inline Pair pair_at(const Real* lanes) {
    const Pair pair = {static_cast<double>(lanes[0]), static_cast<double>(lanes[1])};
    return pair;
}

}  // namespace

template <class Real>
void Elements<Real>::squares_of(std::int32_t batch, std::span<const double> mass, double* sums) const {
    const auto lanes = static_cast<std::size_t>(kernels_.layout.lanes);
    const bool water = is_water(batch);
    const Real* const first = state_.data() + static_cast<std::size_t>(batch) * kernels_.layout.state;
    for (std::size_t begin = 0; begin < lanes; begin += lanes_at_once) {
        Pair squares{}, traces{}, speeds{};
        const Real* at = first + begin;
        for (const double one : mass) {
            Pair q[Elastic::quantities];
            if (water) {
                q[0] = q[1] = q[2] = pair_at(at);
                q[3] = q[4] = q[5] = Pair{};
                for (int i = 0; i < 3; ++i) q[Elastic::vx + i] = pair_at(at + (Acoustic::vx + i) * lanes);
                at += Acoustic::quantities * lanes;
            } else {
                for (int i = 0; i < Elastic::quantities; ++i, at += lanes) q[i] = pair_at(at);
            }
            const Pair trace = q[0] + q[1] + q[2];
            const Pair shear = q[3] * q[3] + q[4] * q[4] + q[5] * q[5];
            squares += one * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + (shear + shear));
            traces += one * (trace * trace);
            speeds += one * (q[6] * q[6] + q[7] * q[7] + q[8] * q[8]);
        }
        for (std::size_t lane = 0; lane < lanes_at_once; ++lane) {
            sums[begin + lane] = squares[lane];
            sums[lanes + begin + lane] = traces[lane];
            sums[2 * lanes + begin + lane] = speeds[lane];
        }
    }
}

template void Elements<float>::squares_of(std::int32_t, std::span<const double>, double*) const;
template void Elements<double>::squares_of(std::int32_t, std::span<const double>, double*) const;

}  // namespace groundswell::quake
