#pragma once

#include <cmath>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Features of the instructions that a file is compiled for: not the same in all files of a program (see
/// instruction_set.hpp), so for kernel files alone.
namespace groundswell::exec {

/// Bytes in the widest register. clang's __BIGGEST_ALIGNMENT__ is that of the baseline processor whatever -march says.
#if defined(__AVX512F__)
inline constexpr int compiled_register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int compiled_register_bytes = 32;
#else
inline constexpr int compiled_register_bytes = 16;
#endif

/// Is there an instruction that multiplies and adds with one rounding? Without it std::fma is a call. Devices have one.
#if defined(__FMA__) || defined(__aarch64__) || defined(__CUDACC__)
inline constexpr bool compiled_with_fma = true;
#else
inline constexpr bool compiled_with_fma = false;
#endif

/// a·b + c of numbers or of registers of them (GCC's vectors): with one rounding where there is an instruction for it, else with
/// two.
template <class T>
constexpr __attribute__((always_inline)) T multiply_add(T a, T b, T c) {
    if constexpr (!compiled_with_fma) {
        return a * b + c;
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::fma(a, b, c);
    } else {
        using Value = std::remove_cvref_t<decltype(a[0])>;
        constexpr int values = static_cast<int>(sizeof(T) / sizeof(Value));
#if defined(__FMA__)
        constexpr bool single = std::is_same_v<Value, float>;
#if defined(__AVX512F__)
        if constexpr (sizeof(T) == 64 && single) return (T)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
        if constexpr (sizeof(T) == 64 && !single)
            return (T)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#endif
        if constexpr (sizeof(T) == 32 && single) return (T)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
        if constexpr (sizeof(T) == 32 && !single)
            return (T)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        if constexpr (sizeof(T) == 16 && single) return (T)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
        if constexpr (sizeof(T) == 16 && !single) return (T)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
#endif
        T result = c;
        for (int i = 0; i < values; ++i) result[i] = std::fma(a[i], b[i], c[i]);
        return result;
    }
}
/// c - a·b, likewise.
template <class T>
constexpr __attribute__((always_inline)) T multiply_subtract(T a, T b, T c) {
    return multiply_add(a, -b, c);
}

/// a > b ? a : b of registers, by the instruction that compilers do not find for them. (The masked form with all values, since
/// GCC 12 warns of the plain one in its own header.)
template <class T>
inline __attribute__((always_inline)) T larger(T a, T b) {
    using Value = std::remove_cvref_t<decltype(a[0])>;
    [[maybe_unused]] constexpr bool single = std::is_same_v<Value, float>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 64 && single) return (T)_mm512_maskz_max_ps(0xffff, (__m512)a, (__m512)b);
    if constexpr (sizeof(T) == 64 && !single) return (T)_mm512_maskz_max_pd(0xff, (__m512d)a, (__m512d)b);
#endif
#if defined(__AVX__)
    if constexpr (sizeof(T) == 32 && single) return (T)_mm256_max_ps((__m256)a, (__m256)b);
    if constexpr (sizeof(T) == 32 && !single) return (T)_mm256_max_pd((__m256d)a, (__m256d)b);
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(T) == 16 && single) return (T)_mm_max_ps((__m128)a, (__m128)b);
    if constexpr (sizeof(T) == 16 && !single) return (T)_mm_max_pd((__m128d)a, (__m128d)b);
#endif
    return a > b ? a : b;
}
/// a < b ? a : b, likewise.
template <class T>
inline __attribute__((always_inline)) T smaller(T a, T b) {
    using Value = std::remove_cvref_t<decltype(a[0])>;
    [[maybe_unused]] constexpr bool single = std::is_same_v<Value, float>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 64 && single) return (T)_mm512_maskz_min_ps(0xffff, (__m512)a, (__m512)b);
    if constexpr (sizeof(T) == 64 && !single) return (T)_mm512_maskz_min_pd(0xff, (__m512d)a, (__m512d)b);
#endif
#if defined(__AVX__)
    if constexpr (sizeof(T) == 32 && single) return (T)_mm256_min_ps((__m256)a, (__m256)b);
    if constexpr (sizeof(T) == 32 && !single) return (T)_mm256_min_pd((__m256d)a, (__m256d)b);
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(T) == 16 && single) return (T)_mm_min_ps((__m128)a, (__m128)b);
    if constexpr (sizeof(T) == 16 && !single) return (T)_mm_min_pd((__m128d)a, (__m128d)b);
#endif
    return a < b ? a : b;
}

}  // namespace groundswell::exec
