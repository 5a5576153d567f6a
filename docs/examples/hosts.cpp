#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::cli {

namespace {

int print_hosts(bool quiet) {
    const parallel::Environment environment;
    const std::vector<int> hosts =
        parallel::gather(environment.comm(), parallel::find_placement(environment.comm()).host);
    if (parallel::rank_of(environment.comm()) == 0 && !quiet)
        for (int host = 0; std::ranges::count(hosts, host) > 0; ++host)
            std::cout << fmt::format("host {}: {} ranks\n", host, std::ranges::count(hosts, host));
    return static_cast<int>(base::ExitCode::done);
}

}  // namespace

Action add_hosts(simulation::Command command) {
    auto quiet = std::make_shared<bool>(false);
    command.footer("Example: mpirun -n 4 groundswell hosts");
    command.flag("--quiet", *quiet, "print nothing");
    return [quiet] { return print_hosts(*quiet); };
}

}  // namespace groundswell::cli
