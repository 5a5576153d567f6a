#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace groundswell::parallel {

/// Sum of doubles without any rounding until it is asked for: a fixed-point number wide enough for every
/// double (2^-1074 to 2^1024), kept as words of 32 bits, each in an int64 so that additions need no carry.
/// The value depends only on the multiset of numbers added, never on their order or on how they were shared
/// out. (The idea of a long accumulator: U. Kulisch, Computer Arithmetic and Validity, 2nd ed. 2013,
/// chapter 8.)
class ExactSum {
public:
    void add(double value);
    void add(std::span<const double> values);

    /// Adds what another sum holds.
    void add(const ExactSum& other);

    /// The exact sum rounded once, to nearest even. NaN if any NaN or both infinities were added. An empty
    /// sum is +0.
    double value() const;

    /// Carries between the words, so that each but the last is in [0, 2^32) and up to 2^30 such sums can be
    /// added word by word.
    void normalise();

    static constexpr int words = 70;  // 2098 bits of all doubles, and 2^64 of them, and the sign
    static constexpr int width = words + 3;

    /// The words and the counts of NaN, +infinity and -infinity: after normalise() these may be summed across
    /// ranks.
    std::array<std::int64_t, width>& data() { return data_; }

private:
    std::array<std::int64_t, width> data_{};
    std::int64_t pending_ = 0;  // additions since the words were last normalised
};

}  // namespace groundswell::parallel
