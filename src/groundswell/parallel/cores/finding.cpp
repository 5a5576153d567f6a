#include "groundswell/parallel/cores/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/placement_judgement.hpp"

namespace groundswell::parallel {

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& mine) {
    int rank = 0, ranks = 1;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    check(MPI_Comm_size(comm, &ranks), "tell the number of ranks");
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(rank == 0 ? static_cast<std::size_t>(ranks) : 0), begins;
    check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "gather texts");
    int total = 0;
    for (const int each : lengths) {
        begins.push_back(total);
        total += each;
    }
    std::string all(static_cast<std::size_t>(total), ' ');
    check(MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0,
                      comm),
          "gather texts");
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < lengths.size(); ++r)
        texts.push_back(
            all.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(lengths[r])));
    return texts;
}

void broadcast(MPI_Comm comm, std::string& text, int speaker) {
    auto length = static_cast<int>(text.size());
    check(MPI_Bcast(&length, 1, MPI_INT, speaker, comm), "tell all ranks a text");
    text.resize(static_cast<std::size_t>(length));
    check(MPI_Bcast(text.data(), length, MPI_CHAR, speaker, comm), "tell all ranks a text");
}

std::vector<Finding> gather_findings(MPI_Comm comm, const std::vector<Finding>& mine) {
    std::string lines;
    for (const Finding& one : mine) lines += one.code + "\n" + one.message + "\n" + one.fix + "\n";
    std::vector<Finding> all;
    std::map<std::string, int> more;
    for (const std::string& text : gather_texts(comm, lines)) {
        std::istringstream stream(text);
        for (Finding one; std::getline(stream, one.code) && std::getline(stream, one.message) &&
                          std::getline(stream, one.fix);) {
            if (std::ranges::find(all, one.code, &Finding::code) == all.end())
                all.push_back(one);
            else
                ++more[one.code];
        }
    }
    for (Finding& one : all)
        if (const int others = more[one.code]; others > 0)
            one.message += fmt::format(" (and the like on {} more host{})", others, others == 1 ? "" : "s");
    sort_by_cost(all);
    return all;
}

}  // namespace groundswell::parallel
