#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The instruction set that the kernels use.
///
/// A program built with GROUNDSWELL_ARCH=portable holds each kernel once for every level of 64-bit x86 (the x86-64 psABI:
/// v2 has registers of 16 bytes, v3 of 32 and fused multiply-add, v4 of 64) and takes the highest that the processor has. All
/// else in it is compiled for the lowest level. Other builds hold each kernel once.
namespace groundswell::exec {

enum class InstructionSet {
    generic,  ///< what the compiler takes for a processor that is no x86
    v2,
    v3,
    v4,
};

/// "v3", as GROUNDSWELL_ISA and reports have it.
std::string_view name_of(InstructionSet set);

/// Bytes in a register of it.
int register_bytes(InstructionSet set);

/// Those that kernels of this program were compiled for, ascending; one, unless it is portable.
const std::vector<InstructionSet>& compiled_instruction_sets();

/// The highest level that this processor has, whatever was compiled.
InstructionSet processor_instruction_set();

/// Highest of `compiled` that GROUNDSWELL_ISA = `limit` leaves on a processor that has `has`. An empty limit leaves all.
/// Throws base::Refusal if there is no such level, if the processor lacks it, or if nothing is left.
InstructionSet choose_instruction_set(const std::vector<InstructionSet>& compiled, InstructionSet has,
                                      std::string_view limit);

/// The one in use: chosen at the first call, by the environment variable GROUNDSWELL_ISA and the processor. Throws as
/// choose_instruction_set.
InstructionSet instruction_set();

/// Target of this program's compilation: "portable", or the value of -march.
std::string_view build_architecture();

/// The last cache before memory.
struct LastCache {
    std::int64_t bytes = std::int64_t{32} << 20;
    int cpus = 1;  ///< that share it
};
/// Last-level cache of the first CPU, from /sys; as above where that does not say.
LastCache last_cache();

/// Name, family, model and stepping (64-bit Arm: implementer, part, variant and revision) from /proc/cpuinfo: names alone are
/// often shared by several generations. Empty where it does not say.
std::string processor_identity();

/// The same of the text of a file of that kind.
std::string processor_identity(const std::string& cpuinfo);

}  // namespace groundswell::exec
