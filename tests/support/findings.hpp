#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"

/// Sets of cores, and what is found wrong with those of a run, as tests look at it.
namespace groundswell::parallel {

inline CpuSet range(int first, int last) {
    CpuSet cpus;
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    return cpus;
}

using Codes = std::vector<std::string>;

inline Codes codes(const std::vector<Finding>& findings) {
    Codes all;
    for (const Finding& one : findings) all.push_back(one.code);
    return all;
}

/// The words stand in the message, in this order.
inline void expect_words(const std::string& text, const std::vector<std::string>& words) {
    std::size_t place = 0;
    for (const std::string& word : words) {
        place = text.find(word, place);
        ASSERT_NE(place, std::string::npos) << word << " in: " << text;
    }
}

}  // namespace groundswell::parallel
