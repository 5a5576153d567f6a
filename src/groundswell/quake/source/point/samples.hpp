#pragma once

#include <string>
#include <vector>

namespace groundswell::quake {

/// A rate in time, at equal intervals.
struct Samples {
    double onset = 0.0, interval = 0.0;  ///< s
    std::vector<double> rate;
};

/// Reads two columns, time in s and rate, separated by blanks or a comma; lines that begin with # are comments. base::Refusal,
/// with the line, for times that do not ascend or leave a gap, and for a comment that gives time another unit.
Samples read_samples(const std::string& path);

}  // namespace groundswell::quake
