#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "groundswell/parallel/machine/cpu_set.hpp"

namespace groundswell::parallel {

/// So many threads that may run there.
struct Wish {
    CpuSet cpus;
    std::size_t threads = 1;
};

/// A set of CPUs that more threads are confined to than it has. `groups`: how many there are of which none lies in
/// another.
struct Crowd {
    CpuSet cpus;
    std::size_t threads = 0, groups = 0;
};

/// The smallest one; none where there is room for all, by Hall's condition (1935, doi:10.1112/jlms/s1-10.37.26). Expects
/// that two sets are equal, disjoint or one inside the other.
std::optional<Crowd> find_crowd(const std::vector<Wish>& wishes);

}  // namespace groundswell::parallel
