#include "groundswell/parallel/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace groundswell::parallel {

namespace {
__extension__ using Wide = unsigned __int128;  // g++ and clang have it on every 64-bit machine

constexpr int nan_count = ExactSum::words;
constexpr int plus_count = ExactSum::words + 1;
constexpr int minus_count = ExactSum::words + 2;
constexpr std::int64_t word_mask = 0xffffffff;
// Each addition changes a word by less than 2^32, so a word stays below 2^63 for this many.
constexpr std::int64_t most_pending = std::int64_t{1} << 30;
// The lowest bit of word 0 stands for 2^lowest_exponent.
constexpr int lowest_exponent = -1074;
}  // namespace

void ExactSum::add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent_field = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent_field == 0x7ff) {
        ++data_[mantissa != 0 ? nan_count : (bits >> 63 ? minus_count : plus_count)];
        return;
    }
    // value = ± mantissa · 2^(position + lowest_exponent)
    int position = 0;
    if (exponent_field != 0) {
        mantissa |= std::uint64_t{1} << 52;
        position = exponent_field - 1;
    }
    const int word = position / 32;
    const auto wide = static_cast<Wide>(mantissa) << (position % 32);
    const std::int64_t sign = bits >> 63 ? -1 : 1;
    data_[word] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) & word_mask);
    data_[word + 1] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) >> 32);
    data_[word + 2] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> 64));
    if (++pending_ == most_pending) normalise();
}

void ExactSum::add(std::span<const double> values) {
    for (const double value : values) add(value);
}

void ExactSum::add(const ExactSum& other) {
    ExactSum copy = other;
    copy.normalise();
    for (int i = 0; i < width; ++i) data_[i] += copy.data_[i];
    if (++pending_ == most_pending) normalise();
}

void ExactSum::normalise() {
    std::int64_t carry = 0;
    for (int i = 0; i < words - 1; ++i) {
        const std::int64_t total = data_[i] + carry;
        carry = total >> 32;  // rounds towards minus infinity, so what stays is in [0, 2^32)
        data_[i] = total & word_mask;
    }
    data_[words - 1] += carry;
    pending_ = 0;
}

double ExactSum::value() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (data_[nan_count] > 0 || (data_[plus_count] > 0 && data_[minus_count] > 0))
        return std::numeric_limits<double>::quiet_NaN();
    if (data_[plus_count] > 0) return infinity;
    if (data_[minus_count] > 0) return -infinity;

    ExactSum magnitude = *this;
    magnitude.normalise();
    const bool negative = magnitude.data_[words - 1] < 0;
    if (negative) {
        for (int i = 0; i < words; ++i) magnitude.data_[i] = -magnitude.data_[i];
        magnitude.normalise();
    }
    int top = words - 1;
    while (top >= 0 && magnitude.data_[top] == 0) --top;
    if (top < 0) return 0.0;

    // The highest three words, then one bit that tells whether anything is left below them.
    Wide high = 0;
    for (int i = top; i > top - 3; --i)
        high = high << 32 | static_cast<std::uint64_t>(i >= 0 ? magnitude.data_[i] : 0);
    bool rest = false;
    for (int i = 0; i <= top - 3; ++i) rest = rest || magnitude.data_[i] != 0;
    int exponent = 32 * (top - 2) + lowest_exponent;
    while (high >> 64 != 0) {
        rest = rest || (high & 1) != 0;
        high >>= 1;
        ++exponent;
    }
    // `leading` has 64 significant bits, so its lowest stands below where a double rounds: one rounding, the
    // right one.
    const std::uint64_t leading = static_cast<std::uint64_t>(high) | (rest ? 1 : 0);
    const double rounded = std::ldexp(static_cast<double>(leading), exponent);
    return negative ? -rounded : rounded;
}

}  // namespace groundswell::parallel
