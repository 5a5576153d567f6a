#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/viscoelastic.hpp"

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

/// Mechanisms of two lanes.
template <class Real>
struct SpringPairs {
    int mechanisms;
    Pair per_frequency[Viscoelastic::most_mechanisms] = {}, lambda[Viscoelastic::most_mechanisms] = {},
         mu[Viscoelastic::most_mechanisms] = {};

    SpringPairs(const Real* first, int mechanisms_, std::size_t lanes) : mechanisms(mechanisms_) {
        for (int l = 0; l < mechanisms; ++l, first += 3 * lanes) {
            for (std::size_t lane = 0; lane < lanes_at_once; ++lane) {
                const auto frequency = static_cast<double>(first[lane]);
                per_frequency[l][lane] =
                    frequency != 0.0 ? 1.0 / frequency : 0.0;  // none in a lane without an element
            }
            lambda[l] = pair_at(first + lanes);
            mu[l] = pair_at(first + 2 * lanes);
        }
    }

    /// Energy that springs hold which the ϑ of a function strains; takes from its stress what they bear.
    Pair held(const Real* theta, std::size_t lanes, Pair* stress) const {
        Pair sum{};
        for (int l = 0; l < mechanisms; ++l) {
            Pair strain[Viscoelastic::strains];
            for (Pair& one : strain) {
                one = per_frequency[l] * pair_at(theta);
                theta += lanes;
            }
            const Pair trace = strain[0] + strain[1] + strain[2], pressure = lambda[l] * trace;
            Pair squares{};
            for (int i = 0; i < Viscoelastic::strains; ++i) {
                const Pair square = strain[i] * strain[i];
                squares += i < 3 ? square : square + square;
                stress[i] -= 2.0 * mu[l] * strain[i];
                if (i < 3) stress[i] -= pressure;
            }
            sum += 0.5 * pressure * trace + mu[l] * squares;
        }
        return sum;
    }
};

}  // namespace

template <class Real>
void Elements<Real>::squares_of(std::int32_t batch, std::span<const double> mass,
                                SquaresOfElement* of_lane) const {
    const auto lanes = static_cast<std::size_t>(kernels_.layout.lanes);
    const bool water = is_water(batch);
    const auto index = static_cast<std::size_t>(batch);
    const Real* const first = state_.data() + index * kernels_.layout.state;
    const int mechanisms = water ? 0 : kernels_.layout.mechanisms;
    const Real* const springs_at = material_.data() + (index + 1) * kernels_.layout.material -
                                   3 * lanes * static_cast<std::size_t>(mechanisms);
    const std::size_t remembered = static_cast<std::size_t>(mechanisms) * Viscoelastic::strains * lanes;
    for (std::size_t begin = 0; begin < lanes; begin += lanes_at_once) {
        Pair squares{}, traces{}, speeds{}, relaxing{};
        const Real* at = first + begin;
        const SpringPairs<Real> springs(springs_at + begin, mechanisms, lanes);
        const Real* theta =
            mechanisms > 0 ? memory_.data() + index * kernels_.layout.memory + begin : nullptr;
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
            if (mechanisms > 0) {
                relaxing += one * springs.held(theta, lanes, q);
                theta += remembered;
            }
            const Pair trace = q[0] + q[1] + q[2];
            const Pair shear = q[3] * q[3] + q[4] * q[4] + q[5] * q[5];
            squares += one * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + (shear + shear));
            traces += one * (trace * trace);
            speeds += one * (q[6] * q[6] + q[7] * q[7] + q[8] * q[8]);
        }
        for (std::size_t lane = 0; lane < lanes_at_once; ++lane) {
            of_lane[begin + lane] = {squares[lane], traces[lane], speeds[lane], relaxing[lane]};
            for (int l = 0; l < mechanisms; ++l) {
                of_lane[begin + lane].lambda += springs.lambda[l][lane];
                of_lane[begin + lane].mu += springs.mu[l][lane];
            }
        }
    }
}

template void Elements<float>::squares_of(std::int32_t, std::span<const double>, SquaresOfElement*) const;
template void Elements<double>::squares_of(std::int32_t, std::span<const double>, SquaresOfElement*) const;

}  // namespace groundswell::quake
