#include "groundswell/exec/subnormals.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace groundswell::exec {

void flush_subnormals() {
#if defined(__SSE2__)
    constexpr unsigned flush_to_zero = 0x8000, subnormals_are_zero = 0x0040;  // bits of MXCSR
    _mm_setcsr(_mm_getcsr() | flush_to_zero | subnormals_are_zero);
#endif
}

}  // namespace groundswell::exec
