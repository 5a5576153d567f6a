#include "groundswell/halo/exchange/lateness.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {
constexpr std::size_t most_arrivals = 1024;
constexpr int message_tag = 71;
}  // namespace

Waits split_waits(std::span<const Arrival> mine, std::span<const double> last_neighbour) {
    Waits sum;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double late = std::clamp(last_neighbour[i] - mine[i].reached, 0.0, mine[i].waited);
        sum.late += late;
        sum.message += mine[i].waited - late;
    }
    sum.exchanges = std::ssize(mine);
    const double share = mine.empty() ? 0.0 : 1.0 / static_cast<double>(mine.size());
    return {sum.late * share, sum.message * share, sum.exchanges};
}

Lateness::Lateness(MPI_Comm comm) : begin_(parallel::common_moment(comm)) {
    arrivals_.reserve(most_arrivals);
}

void Lateness::record(double reached, double waited) {
    if (exchanges_++ % every_ != 0) return;
    if (arrivals_.size() == most_arrivals) {
        // Every other one is enough, from the first on.
        for (std::size_t i = 0; i < most_arrivals / 2; ++i) arrivals_[i] = arrivals_[2 * i];
        arrivals_.resize(most_arrivals / 2);
        every_ *= 2;
        if ((exchanges_ - 1) % every_ != 0) return;
    }
    arrivals_.push_back({reached, waited});
}

Waits Lateness::waits(const Plan& plan) const {
    const parallel::Moment end = parallel::common_moment(plan.comm());
    // Clocks of two hosts may differ in what they show and, a little, in how fast they go.
    const double here = end.here - begin_.here, there = end.there - begin_.there;
    const double rate = here > 0.0 && there > 0.0 ? there / here : 1.0;
    std::vector<double> reached;
    for (const Arrival& arrival : arrivals_) reached.push_back((arrival.reached - begin_.here) * rate);

    const int count = static_cast<int>(reached.size());
    std::vector<std::vector<double>> theirs(plan.sources().size(), std::vector<double>(reached.size()));
    std::vector<MPI_Request> requests;
    for (std::size_t k = 0; k < theirs.size(); ++k)
        check(MPI_Irecv(theirs[k].data(), count, MPI_DOUBLE, plan.sources()[k].rank, message_tag, plan.comm(),
                        &requests.emplace_back()),
              "hear when neighbours arrived");
    for (const Link& link : plan.destinations())
        check(MPI_Isend(reached.data(), count, MPI_DOUBLE, link.rank, message_tag, plan.comm(),
                        &requests.emplace_back()),
              "tell neighbours of arrivals");
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "hear when neighbours arrived");

    std::vector<double> last(reached.size(), -std::numeric_limits<double>::infinity());
    for (const std::vector<double>& neighbour : theirs)
        for (std::size_t i = 0; i < last.size(); ++i) last[i] = std::max(last[i], neighbour[i]);
    std::vector<Arrival> mine = arrivals_;
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i].reached = reached[i];
    return split_waits(mine, last);
}

}  // namespace groundswell::halo
