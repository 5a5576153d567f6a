#include "groundswell/halo/host/host_neighbours.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "groundswell/parallel/placement.hpp"

namespace groundswell::halo {

namespace {

using parallel::check;

/// Record that a rank sends to its neighbours about itself.
struct Card {
    std::int64_t host = 0;
    std::int64_t process = 0;
    std::int64_t process_numbering = 0;  // containers may number processes each for themselves
};

Card card_of_this_rank(int host) {
    struct stat numbering {};
    const bool known = stat("/proc/self/ns/pid", &numbering) == 0;
    return {host, known ? getpid() : 0, static_cast<std::int64_t>(numbering.st_ino)};
}

HostNeighbour neighbour(const Card& mine, const Card& theirs) {
    HostNeighbour seen{theirs.host == mine.host, 0};
    const auto process = static_cast<pid_t>(theirs.process);
    // Where two ranks do not number processes alike, the number means nothing or, worse, another process.
    if (seen.on_host && process > 0 && theirs.process_numbering == mine.process_numbering &&
        (kill(process, 0) == 0 || errno == EPERM))
        seen.process = process;
    return seen;
}

/// Whether a process is dead and only its parent has not asked for its end yet.
bool is_zombie(pid_t process) {
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", static_cast<int>(process));
    std::FILE* file = std::fopen(path.data(), "r");
    if (file == nullptr) return false;
    std::array<char, 256> text{};
    const std::size_t length = std::fread(text.data(), 1, text.size() - 1, file);
    std::fclose(file);
    // "number (name) state …", where the name may hold anything.
    const std::string_view line(text.data(), length);
    const auto end_of_name = line.rfind(") ");
    if (end_of_name == std::string_view::npos || end_of_name + 2 >= line.size()) return false;
    const char state = line[end_of_name + 2];
    return state == 'Z' || state == 'X';
}

}  // namespace

bool HostNeighbour::has_ended() const {
    if (process == 0) return false;
    if (kill(process, 0) != 0) return errno == ESRCH;
    return is_zombie(process);
}

Host find_host(MPI_Comm comm) {
    const parallel::Placement placement = parallel::find_placement(comm);
    return {parallel::host_communicator(comm, placement), placement.host_name};
}

std::vector<int> translate(MPI_Comm from, std::span<const int> ranks, MPI_Comm to) {
    std::vector<int> translated(ranks.size());
    MPI_Group from_group = MPI_GROUP_NULL, to_group = MPI_GROUP_NULL;
    check(MPI_Comm_group(from, &from_group), "find the ranks of a host");
    check(MPI_Comm_group(to, &to_group), "find the ranks of a host");
    check(MPI_Group_translate_ranks(from_group, static_cast<int>(ranks.size()), ranks.data(), to_group,
                                    translated.data()),
          "find the ranks of a host");
    MPI_Group_free(&from_group);
    MPI_Group_free(&to_group);
    return translated;
}

HostNeighbours find_host_neighbours(const Plan& plan) {
    HostNeighbours found;
    found.comm = parallel::Communicator::duplicate(plan.comm());
    const parallel::Placement placement = parallel::find_placement(plan.comm());
    found.host = {parallel::host_communicator(plan.comm(), placement), placement.host_name};

    const Card mine = card_of_this_rank(placement.host);
    const std::size_t sources = plan.sources().size();
    std::vector<Card> cards(sources + plan.destinations().size());
    std::vector<MPI_Request> requests;
    const auto swap_cards = [&](std::span<const Link> links, Card* theirs, int their_tag, int my_tag) {
        for (const Link& link : links) {
            check(MPI_Irecv(theirs++, sizeof(Card), MPI_BYTE, link.rank, their_tag, found.comm.get(),
                            &requests.emplace_back()),
                  "hear from a neighbour");
            check(MPI_Isend(&mine, sizeof(Card), MPI_BYTE, link.rank, my_tag, found.comm.get(),
                            &requests.emplace_back()),
                  "tell a neighbour");
        }
    };
    // Two ranks may need each other's ids: the tag tells the cards of the two links apart.
    swap_cards(plan.sources(), cards.data(), 0, 1);
    swap_cards(plan.destinations(), cards.data() + sources, 1, 0);
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "wait for the neighbours");
    for (std::size_t k = 0; k < cards.size(); ++k)
        (k < sources ? found.sources : found.destinations).push_back(neighbour(mine, cards[k]));
    return found;
}

}  // namespace groundswell::halo
