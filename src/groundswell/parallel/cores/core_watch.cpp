#include "groundswell/parallel/cores/core_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::parallel {

namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

CoreWatch::Counters CoreWatch::Counters::now() {
    Counters counters;
    counters.threads.resize(exec::threads());
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t i) { counters.threads[i] = ThreadTime::now(); });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    counters.time = parallel::now();
    counters.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    counters.throttled = read_quota().throttled_seconds;
    counters.major_faults = usage.ru_majflt;
    return counters;
}

CoreWatch::CoreWatch(MPI_Comm comm, const LaunchCores& launch)
    : comm_(comm),
      launch_(launch),
      hosts_(gather_texts(comm, host_name())),
      cpus_(gather_texts(comm, to_text(cpus_of_computing_threads()))),
      processes_(gather(launch.machine.get(), static_cast<int>(::getpid()))),
      begin_(Counters::now()),
      queue_is_known_(tells_of_queue()) {
    if (launch.machine.rank() == 0) host_begin_ = HostCounters::now(launch.allowed);
}

RankUse CoreWatch::use_of_this_rank(const Profile& profile, double cells) const {
    const Counters end = Counters::now();
    RankUse use;
    check(MPI_Comm_rank(comm_, &use.rank), "tell the rank");
    use.threads = exec::threads();
    use.wall = end.time - begin_.time;
    const Profile::Computing computing = profile.computing();
    use.computing = computing.seconds;
    use.computing_processor = computing.processor_seconds;
    use.even_processor = computing.even_processor_seconds;
    use.cells = cells;
    use.processor = end.processor - begin_.processor;
    use.throttled = end.throttled - begin_.throttled;
    use.major_faults = end.major_faults - begin_.major_faults;
    use.queue_is_known = queue_is_known_;
    for (std::size_t thread = 0; thread < end.threads.size(); ++thread) {
        const ThreadTime spent = end.threads[thread] - begin_.threads[thread];
        use.involuntary += spent.involuntary;
        double& queue = thread == 0 ? use.main_queue : use.worker_queue;
        queue = std::max(queue, spent.queue);
        if (thread > 0 && spent.queue > 0.0)
            use.worker_loss = std::max(use.worker_loss, spent.queue / (spent.queue + spent.processor));
    }
    return use;
}

CoreReport CoreWatch::look(const Profile& profile, double cells) const {
    const RankUse mine = use_of_this_rank(profile, cells);
    CoreReport report;
    report.ranks = gather(comm_, mine);
    const std::vector<RankUse> here = gather(launch_.machine.get(), mine);
    std::vector<Finding> measured;
    if (launch_.machine.rank() == 0) {
        double processor = 0.0;
        for (const RankUse& rank : here) processor += rank.processor;
        report.host = use_between(host_begin_, HostCounters::now(launch_.allowed),
                                  static_cast<int>(launch_.allowed.size()), processes_, processor);
        for (const RankUse& rank : here)
            report.host->throttled = std::max(report.host->throttled, rank.throttled);
        measured = judge_use(launch_.host, *report.host, here, launch_.findings);
    }
    report.findings = gather_findings(comm_, launch_.findings);
    report.of_launch = report.findings.size();
    for (const Finding& one : gather_findings(comm_, measured)) report.findings.push_back(one);
    if (!explains_losses(report.findings))
        for (const Finding& one : judge_speed(report.ranks, hosts_)) report.findings.push_back(one);
    return report;
}

}  // namespace groundswell::parallel
