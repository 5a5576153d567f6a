#include "groundswell/exec/subnormals.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace groundswell::exec {

#if defined(__SSE2__)
namespace {
constexpr unsigned flush_bits = 0x8000 | 0x0040;  // bits of MXCSR: flush to zero, subnormals are zero
}
#endif

void flush_subnormals() {
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | flush_bits);
#endif
}

bool flushes_subnormals() {
#if defined(__SSE2__)
    return (_mm_getcsr() & flush_bits) == flush_bits;
#else
    return true;
#endif
}

}  // namespace groundswell::exec
