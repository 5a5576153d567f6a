#pragma once

#include <span>

/// The frequency in Hz below which 99 % of the energy of a time function lies, ∫ |spectrum|² over all frequencies: of those
/// that time_function.hpp makes, from what they are made of.
namespace groundswell::quake::reach {

double gaussian(double width);
double ricker(double frequency);
double brune(double time);
double step();  ///< infinite
double sampled(double interval, std::span<const double> rate);

}  // namespace groundswell::quake::reach
