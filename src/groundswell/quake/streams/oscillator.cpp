#include "groundswell/quake/streams/oscillator.hpp"

#include <cmath>
#include <numbers>

namespace groundswell::quake {

Oscillator::Oscillator(double period, double damping, double interval) {
    const double omega = 2.0 * std::numbers::pi / period;
    const double root = std::sqrt(1.0 - damping * damping);
    const double decay = std::exp(-damping * omega * interval);
    const double cosine = decay * std::cos(root * omega * interval);
    const double sine = decay * std::sin(root * omega * interval) / root;
    square_ = omega * omega;
    push_ = 1.0 / (square_ * interval);
    pp_ = cosine + damping * sine;
    pr_ = sine / omega;
    rp_ = -omega * sine;
    rr_ = cosine - damping * sine;
}

}  // namespace groundswell::quake
