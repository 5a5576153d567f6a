#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/simulation/limits/kernel_judgement.hpp"

namespace groundswell::cli {

/// Adds to each row its shares of the limits, and of the one that it meets first: `share_of_peak`, `share_of_stream`,
/// `share_of_bound`; null where its work is not counted.
void add_shares(nlohmann::json& row, const exec::MachineLimits& limits);

/// The machine's limits with so many threads of each rank.
using LimitsOfThreads = std::function<exec::MachineLimits(int threads)>;

/// Finds what is wrong with kernels, from rows with their shares: `narrow-registers` for all of them, and each kernel that stays below
/// a fifth of its bound, once for each kind of it, where it is slowest:
/// [{code, message, cause, fix, kernel, kind, cells, threads, whole_phase, share, rows}], `rows` being as many as are slow.
nlohmann::json find_slow_kernels(const nlohmann::json& rows, const LimitsOfThreads& limits,
                                 const simulation::KernelCircumstances& circumstances);

/// For people; empty where nothing is wrong.
std::string findings_text(const nlohmann::json& findings);

/// Short name of a row's kernels: scheme and spectrum, or order and precision.
std::string kind_of(const nlohmann::json& row);

}  // namespace groundswell::cli
