#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "groundswell/exec/registers.hpp"

/// Elementary functions that the compiler can vectorise: no branches, no calls, no errno. Plain formulas with
/// multiply_add written out, so that a scalar call and a vector lane give the same bits.
///
/// Range reduction and minimax-like polynomials after Cephes (Moshier 1989, "Methods and Programs for
/// Mathematical Functions"); accuracy is stated at each function and tested against libm.
namespace groundswell::exec::lanes {

/// e^x for float. Relative error below 2e-7. Below -87 the result is about 1e-38 (never a denormal or 0),
/// above 88 about 1.6e38: arguments are clamped.
template <std::same_as<float> T>
constexpr T exp(T x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    // x = n ln2 + r, |r| ≤ ln2/2; adding and taking away 1.5·2^23 rounds to the nearest integer without a
    // call.
    const float shift = 12582912.0f;
    const float n = multiply_add(x, 1.44269504088896341f, shift) - shift;
    float r = multiply_add(n, -0.693359375f, x);
    r = multiply_add(n, 2.12194440e-4f, r);
    float p = 1.9875691500e-4f;
    p = multiply_add(p, r, 1.3981999507e-3f);
    p = multiply_add(p, r, 8.3334519073e-3f);
    p = multiply_add(p, r, 4.1665795894e-2f);
    p = multiply_add(p, r, 1.6666665459e-1f);
    p = multiply_add(p, r, 5.0000001201e-1f);
    p = multiply_add(p, r * r, r) + 1.0f;
    const std::int32_t exponent = (static_cast<std::int32_t>(n) + 127) << 23;
    return p * std::bit_cast<float>(exponent);
}

/// ln x for positive normal float. Relative error below 2e-7 (absolute below 1e-7 near x = 1).
/// Zero and denormals give about -87.3, negative arguments are undefined.
template <std::same_as<float> T>
constexpr T log(T x) {
    x = x < 1.17549435e-38f ? 1.17549435e-38f : x;
    const std::int32_t bits = std::bit_cast<std::int32_t>(x);
    // Mantissa in [sqrt(1/2), sqrt(2)).
    const std::int32_t biased = bits - 0x3f3504f3;
    const std::int32_t exponent = biased >> 23;
    const float m = std::bit_cast<float>(bits - (exponent << 23)) - 1.0f;
    const float e = static_cast<float>(exponent);
    const float z = m * m;
    float p = 7.0376836292e-2f;
    p = multiply_add(p, m, -1.1514610310e-1f);
    p = multiply_add(p, m, 1.1676998740e-1f);
    p = multiply_add(p, m, -1.2420140846e-1f);
    p = multiply_add(p, m, 1.4249322787e-1f);
    p = multiply_add(p, m, -1.6668057665e-1f);
    p = multiply_add(p, m, 2.0000714765e-1f);
    p = multiply_add(p, m, -2.4999993993e-1f);
    p = multiply_add(p, m, 3.3333331174e-1f);
    float y = m * z * p;
    y = multiply_add(e, -2.12194440e-4f, y);
    y = multiply_add(z, -0.5f, y);
    return multiply_add(e, 0.693359375f, m + y);
}

/// e^x for double. Relative error below 1e-15 for |x| < 700; clamped beyond.
template <std::same_as<double> T>
constexpr T exp(T x) {
    x = x < -700.0 ? -700.0 : x;
    x = x > 700.0 ? 700.0 : x;
    const double shift = 6755399441055744.0;  // 1.5·2^52
    const double n = multiply_add(x, 1.4426950408889634074, shift) - shift;
    double r = multiply_add(n, -6.93145751953125e-1, x);
    r = multiply_add(n, -1.42860682030941723212e-6, r);
    // Taylor series to r^13: |r| ≤ 0.3466 leaves less than 1e-17.
    double p = 1.0 / 6227020800.0;
    p = multiply_add(p, r, 1.0 / 479001600.0);
    p = multiply_add(p, r, 1.0 / 39916800.0);
    p = multiply_add(p, r, 1.0 / 3628800.0);
    p = multiply_add(p, r, 1.0 / 362880.0);
    p = multiply_add(p, r, 1.0 / 40320.0);
    p = multiply_add(p, r, 1.0 / 5040.0);
    p = multiply_add(p, r, 1.0 / 720.0);
    p = multiply_add(p, r, 1.0 / 120.0);
    p = multiply_add(p, r, 1.0 / 24.0);
    p = multiply_add(p, r, 1.0 / 6.0);
    p = multiply_add(p, r, 0.5);
    p = multiply_add(p, r * r, r) + 1.0;
    const std::int64_t exponent = (static_cast<std::int64_t>(n) + 1023) << 52;
    return p * std::bit_cast<double>(exponent);
}

/// ln x for positive normal double. Relative error below 1e-14.
template <std::same_as<double> T>
constexpr T log(T x) {
    x = x < 2.2250738585072014e-308 ? 2.2250738585072014e-308 : x;
    const std::int64_t bits = std::bit_cast<std::int64_t>(x);
    const std::int64_t biased = bits - 0x3fe6a09e667f3bcdLL;
    const std::int64_t exponent = biased >> 52;
    const double m = std::bit_cast<double>(bits - (exponent << 52));
    const double e = static_cast<double>(exponent);
    // ln m = 2 artanh s, s = (m-1)/(m+1), |s| ≤ 0.1716: the series to s^21 leaves less than 1e-17.
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 2.0 / 21.0;
    p = multiply_add(p, z, 2.0 / 19.0);
    p = multiply_add(p, z, 2.0 / 17.0);
    p = multiply_add(p, z, 2.0 / 15.0);
    p = multiply_add(p, z, 2.0 / 13.0);
    p = multiply_add(p, z, 2.0 / 11.0);
    p = multiply_add(p, z, 2.0 / 9.0);
    p = multiply_add(p, z, 2.0 / 7.0);
    p = multiply_add(p, z, 2.0 / 5.0);
    p = multiply_add(p, z, 2.0 / 3.0);
    const double series = multiply_add(p * z, s, 2.0 * s);
    return multiply_add(e, 0.693147180559945309417, series);
}

/// e^x of each value of a register (one of GCC's vectors, or a number): the bits of exp(). Of floats it is one computation, of
/// doubles one after the other.
template <class Vector>
requires std::is_floating_point_v<Vector>
constexpr Vector exp_of_each(Vector x) {
    return lanes::exp(x);
}
template <class Vector>
inline __attribute__((always_inline)) Vector exp_of_each(Vector x) {
    constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(x[0]));
    if constexpr (sizeof(x[0]) == sizeof(double)) {
        for (int i = 0; i < values; ++i) x[i] = lanes::exp(x[i]);
        return x;
    } else {
        using Bits = decltype(x < x);
        const auto all = [](float value) { return value - Vector{}; };
        x = x < -87.0f ? all(-87.0f) : x;
        x = x > 88.0f ? all(88.0f) : x;
        const Vector shift = all(12582912.0f);
        const Vector n = multiply_add(x, all(1.44269504088896341f), shift) - shift;
        Vector r = multiply_add(n, all(-0.693359375f), x);
        r = multiply_add(n, all(2.12194440e-4f), r);
        Vector p = all(1.9875691500e-4f);
        p = multiply_add(p, r, all(1.3981999507e-3f));
        p = multiply_add(p, r, all(8.3334519073e-3f));
        p = multiply_add(p, r, all(4.1665795894e-2f));
        p = multiply_add(p, r, all(1.6666665459e-1f));
        p = multiply_add(p, r, all(5.0000001201e-1f));
        p = multiply_add(p, r * r, r) + 1.0f;
        const Bits exponent = (__builtin_convertvector(n, Bits) + 127) << 23;
        return p * reinterpret_cast<Vector>(exponent);
    }
}

/// x^y for positive x, as exp(y ln x): relative error grows with |y ln x| (about |y ln x| · 1e-7 for float).
template <class T>
constexpr T pow(T x, T y) {
    return lanes::exp(y * lanes::log(x));
}

/// tanh x = 1 - 2/(e^{2x}+1). Absolute error below 2e-7 (float); loses relative accuracy for |x| < 1e-3.
template <class T>
constexpr T tanh(T x) {
    const T limit = T(20);
    x = x > limit ? limit : x;
    x = x < -limit ? -limit : x;
    return T(1) - T(2) / (lanes::exp(T(2) * x) + T(1));
}

/// cos x for 0 ≤ x ≤ π/2. Relative error below 4e-16.
template <std::same_as<double> T>
constexpr T cos(T x) {
    // Beyond π/4 the sine of what is left to π/2, which has more digits than a double.
    const bool far = x > 0.785398163397448309616;
    const double left = (1.57079632679489661923 - x) + 6.12323399573676588614e-17;
    const double r = far ? left : x, z = r * r;
    // Taylor series to r^17 and r^16: |r| ≤ π/4 leaves less than 2e-18.
    double s = 1.0 / 355687428096000.0, c = 1.0 / 20922789888000.0;
    s = multiply_add(s, z, -1.0 / 1307674368000.0), c = multiply_add(c, z, -1.0 / 87178291200.0);
    s = multiply_add(s, z, 1.0 / 6227020800.0), c = multiply_add(c, z, 1.0 / 479001600.0);
    s = multiply_add(s, z, -1.0 / 39916800.0), c = multiply_add(c, z, -1.0 / 3628800.0);
    s = multiply_add(s, z, 1.0 / 362880.0), c = multiply_add(c, z, 1.0 / 40320.0);
    s = multiply_add(s, z, -1.0 / 5040.0), c = multiply_add(c, z, -1.0 / 720.0);
    s = multiply_add(s, z, 1.0 / 120.0), c = multiply_add(c, z, 1.0 / 24.0);
    s = multiply_add(s, z, -1.0 / 6.0);
    // 1 - z/2 in two parts, as its rounding would be the largest error.
    const double half = 0.5 * z, rest = 1.0 - half;
    const double cosine = rest + ((1.0 - rest - half) + z * z * c);
    return far ? multiply_add(s * z, r, r) : cosine;
}

}  // namespace groundswell::exec::lanes
