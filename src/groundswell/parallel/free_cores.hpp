#pragma once

#include <optional>
#include <string>
#include <vector>

namespace groundswell::parallel {

/// Cores on which nothing computes, as a case wishes for them: for the communication thread, the writer thread, output servers
/// and the system.
struct FreeCores {
    std::optional<int> count;             ///< cores that each rank keeps free
    std::vector<std::vector<int>> lists;  ///< CPUs that the first rank of each host keeps free, the second, …
    std::string text = "auto";            ///< as it stands in a case file, for refusals

    /// Neither: a thread besides those that compute gets a core that the launcher leaves it, if there is one.
    bool is_automatic() const { return !count && lists.empty(); }
};

}  // namespace groundswell::parallel
