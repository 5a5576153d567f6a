#pragma once

#include <cstdint>
#include <string>

/// The processor of this machine, as Linux describes it.
namespace groundswell::exec {

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
