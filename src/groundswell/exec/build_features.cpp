#include "groundswell/exec/build_features.hpp"

#include <unistd.h>

#include <cstring>

#include "groundswell/exec/kernel_levels.hpp"

// This file alone is compiled for the lowest level whatever GROUNDSWELL_ARCH says, so that it runs where the rest would not. It
// uses nothing that a header might have compiled elsewhere for another processor.

namespace groundswell::exec {

const char* lacking_feature(const char* needed) {
#if defined(__x86_64__)
    __builtin_cpu_init();
#define GROUNDSWELL_LOOK(name) \
    if (!__builtin_cpu_supports(name) && std::strstr(needed, " " name " ") != nullptr) return name;
    GROUNDSWELL_LOOK("sse4.2")
    GROUNDSWELL_LOOK("popcnt")
    GROUNDSWELL_LOOK("avx")
    GROUNDSWELL_LOOK("avx2")
    GROUNDSWELL_LOOK("fma")
    GROUNDSWELL_LOOK("bmi")
    GROUNDSWELL_LOOK("bmi2")
    GROUNDSWELL_LOOK("avx512f")
    GROUNDSWELL_LOOK("avx512bw")
    GROUNDSWELL_LOOK("avx512cd")
    GROUNDSWELL_LOOK("avx512dq")
    GROUNDSWELL_LOOK("avx512vl")
    GROUNDSWELL_LOOK("avx512ifma")
    GROUNDSWELL_LOOK("avx512vbmi")
    GROUNDSWELL_LOOK("avx512vbmi2")
    GROUNDSWELL_LOOK("avx512vnni")
    GROUNDSWELL_LOOK("avx512bitalg")
    GROUNDSWELL_LOOK("avx512vpopcntdq")
#undef GROUNDSWELL_LOOK
#else
    static_cast<void>(needed);
#endif
    return nullptr;
}

const char* build_features() {
    return GROUNDSWELL_BUILD_FEATURES;
}

namespace {

void tell(const char* text) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) ::_exit(2);
}

// Before the constructors of everything else, which may hold an instruction that this processor lacks.
__attribute__((constructor(101))) void refuse_other_processors() {
    const bool portable = std::strlen(build_features()) <= 2;
    const char* const lacking = lacking_feature(portable ? " sse4.2 popcnt " : build_features());
    if (lacking == nullptr) return;
    if (portable) {
        tell(
            "groundswell: error: processor: expected one of x86-64-v2, such as are made since 2009; this one "
            "lacks ");
        tell(lacking);
        tell("\n");
        ::_exit(2);
    }
    tell("groundswell: error: GROUNDSWELL_ARCH = " GROUNDSWELL_BUILD_ARCHITECTURE
         ": expected the kind of processor that this program was built for; this one lacks ");
    tell(lacking);
    tell(": build it here, or with GROUNDSWELL_ARCH=portable\n");
    ::_exit(2);
}

}  // namespace

}  // namespace groundswell::exec
