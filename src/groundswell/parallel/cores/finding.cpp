#include "groundswell/parallel/cores/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/placement_judgement.hpp"
#include "groundswell/parallel/gather.hpp"

namespace groundswell::parallel {

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& mine) {
    const Gathered<char> all = gather_rows<char>(comm, mine);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank + 1 < all.begin.size(); ++rank) {
        const auto text = all.of_rank(rank);
        texts.emplace_back(text.begin(), text.end());
    }
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
