#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/servers.hpp"
#include "support/output_dataset.hpp"

/// Ways to write with the ranks that a test has.
namespace launch {

/// A mode, and the ranks that are set apart for it.
struct Way {
    std::string mode;
    int servers = 0;
    std::string name() const { return servers == 0 ? mode : mode + std::to_string(servers); }
    friend void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name(); }
};

inline int world_ranks() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/// Servers with these ranks: 1 to 3, of which at least one rank is left to compute.
inline std::vector<Way> server_ways() {
    std::vector<Way> all;
    for (int servers = 1; servers <= std::min(3, world_ranks() - 1); ++servers)
        all.push_back({"servers", servers});
    return all;
}

/// Every way that these ranks can go. Asked for when MPI runs already: see main().
inline std::vector<Way> ways() {
    std::vector<Way> all = server_ways();
    for (const std::string& mode : groundswell::output::output_modes())
        if (mode != "servers") all.push_back({mode, 0});
    return all;
}

/// Runs `model(comm, output)` on the ranks that compute, and the servers' work on the others. True on a rank
/// that computed. With `finishes`, the output is finished after the model; else the model leaves it as it is.
inline bool run(const Way& way, groundswell::output::OutputOptions options,
                const std::function<void(MPI_Comm, groundswell::output::Output&)>& model,
                groundswell::output::ServerReport* report = nullptr, bool finishes = true) {
    using namespace groundswell::output;
    groundswell::base::set_message_level(groundswell::base::MessageLevel::warning);
    options.mode = way.mode;
    if (way.servers == 0) {
        Output output(MPI_COMM_WORLD, options);
        model(MPI_COMM_WORLD, output);
        if (finishes) output.finish();
        return true;
    }
    const Roles roles = split_roles(MPI_COMM_WORLD, way.servers);
    if (roles.serves) {
        const ServerReport served = serve(roles);
        if (report != nullptr) *report = served;
        return false;
    }
    {
        Output output(roles.compute.get(), options, &roles);
        model(roles.compute.get(), output);
        if (finishes) output.finish();
    }
    release_servers(roles);
    return true;
}

using OutputWays = testing::TestWithParam<Way>;

inline std::string name_of(const testing::TestParamInfo<Way>& info) {
    return info.param.name();
}

}  // namespace launch
