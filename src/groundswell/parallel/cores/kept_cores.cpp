#include "groundswell/parallel/cores/kept_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/launch_cores.hpp"
#include "groundswell/parallel/cores/placement_judgement.hpp"

namespace groundswell::parallel {

namespace {

constexpr const char* expected =
    "\"auto\", a number of cores that each rank keeps free, or a list of the cores of the first rank on a "
    "host, of the second, …: [\"6-7\", \"14-15\"]";

// "6-7,12"; none where it is no such list. No machine has CPUs of six digits.
std::optional<CpuSet> cpu_list(const std::string& text) {
    CpuSet cpus;
    std::istringstream pieces(text);
    for (std::string piece; std::getline(pieces, piece, ',');) {
        const std::size_t dash = piece.find('-');
        const auto first = base::parse_number<int>(piece.substr(0, dash));
        const auto last = dash == std::string::npos ? first : base::parse_number<int>(piece.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last > 99'999) return {};
        for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    }
    std::ranges::sort(cpus);
    return cpus.empty() || text.ends_with(',') ? std::nullopt : std::optional(cpus);
}

// What the ranks keep free, as text: one list for each, a line each; or "!" and what would be expected.
std::string choose(const FreeCores& wish, std::span<const RankCpus> ranks) {
    std::vector<CpuSet> chosen;
    if (wish.count) {
        const Machine machine = this_machine();
        chosen = choose_free_cores(machine, ranks, *wish.count);
        if (chosen.empty()) {
            int most = std::min(*wish.count, static_cast<int>(machine.cores.size())), threads = 0;
            while (most > 0 && choose_free_cores(machine, ranks, most).empty()) --most;
            std::vector<CpuSet> sets;
            for (const RankCpus& rank : ranks) {
                threads += rank.threads;
                if (rank.threads > 0) sets.push_back(rank.allowed);
            }
            return fmt::format(
                "!at most {} on host {}, whose ranks compute with {} threads and may use the cores {}", most,
                host_name(), threads, to_text(united(sets)));
        }
    } else {
        const std::string trouble = trouble_with_lists(wish.lists, ranks, owned_cpus());
        if (!trouble.empty()) return fmt::format("!{} (host {})", trouble, host_name());
        std::size_t next = 0;
        for (const RankCpus& rank : ranks) chosen.push_back(rank.threads > 0 ? wish.lists[next++] : CpuSet{});
    }
    std::string text;
    for (const CpuSet& cpus : chosen) text += to_text(cpus) + "\n";
    return text;
}

}  // namespace

FreeCores read_free_cores(const std::vector<std::string>& words, bool is_list, std::string_view where,
                          std::string_view key) {
    FreeCores cores;
    cores.text = is_list ? "[" : "";
    for (const std::string& word : words) cores.text += (&word == words.data() ? "" : ", ") + word;
    if (is_list) cores.text += ']';
    if (!is_list) {
        if (words.front() == "auto") return cores;
        cores.count = base::parse_number<int>(words.front());
        base::require(cores.count && *cores.count >= 0 && *cores.count <= 1024, where, key, cores.text,
                      expected);
        return cores;
    }
    for (const std::string& word : words) {
        const auto cpus = cpu_list(word);
        base::require(cpus.has_value(), where, key, cores.text,
                      fmt::format("{}; \"{}\" is no list of cores", expected, word));
        cores.lists.push_back(*cpus);
    }
    base::require(!cores.lists.empty(), where, key, cores.text, expected);
    return cores;
}

std::vector<CpuSet> choose_free_cores(const Machine& machine, std::span<const RankCpus> ranks, int count) {
    // Ranks with the same cores have a share of them each, in their order; those with fewer choose first.
    std::map<std::pair<std::size_t, CpuSet>, std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (ranks[r].threads > 0) groups[{ranks[r].allowed.size(), ranks[r].allowed}].push_back(r);
    std::vector<CpuSet> free(ranks.size());
    if (count == 0) return free;
    CpuSet taken;
    for (const auto& [key, members] : groups) {
        const std::vector<CpuSet> cores = cores_of(machine, key.second);
        for (std::size_t i = 0; i < members.size(); ++i) {
            std::size_t core = (i + 1) * cores.size() / members.size();
            const std::size_t begin = i * cores.size() / members.size();
            int found = 0;
            std::vector<CpuSet> mine;
            while (core-- > begin && found < count) {
                if (difference(cores[core], taken).size() != cores[core].size()) continue;
                mine.push_back(cores[core]);
                ++found;
            }
            if (found < count) return {};
            free[members[i]] = united(mine);
            mine.push_back(taken);
            taken = united(mine);
        }
    }
    std::vector<Wish> wishes;
    for (const RankCpus& rank : ranks)
        if (rank.threads > 0)
            wishes.push_back({difference(rank.allowed, taken), static_cast<std::size_t>(rank.threads)});
    return find_crowd(wishes) ? std::vector<CpuSet>() : free;
}

std::string trouble_with_lists(std::span<const CpuSet> lists, std::span<const RankCpus> ranks,
                               const CpuSet& owned) {
    const auto computing = static_cast<std::size_t>(
        std::ranges::count_if(ranks, [](const RankCpus& rank) { return rank.threads > 0; }));
    if (lists.size() < computing) return fmt::format("cores for each of the {} ranks of a host", computing);
    CpuSet all;
    for (const CpuSet& list : lists.first(computing)) all.insert(all.end(), list.begin(), list.end());
    std::ranges::sort(all);
    if (const auto twice = std::ranges::adjacent_find(all); twice != all.end())
        return fmt::format("each core once: {} stands there twice", *twice);
    if (const CpuSet strange = difference(all, owned); !strange.empty())
        return fmt::format("cores of this job, {}: not {}", to_text(owned), to_text(strange));
    std::vector<Wish> wishes;
    for (const RankCpus& rank : ranks)
        if (rank.threads > 0)
            wishes.push_back({difference(rank.allowed, all), static_cast<std::size_t>(rank.threads)});
    if (const auto crowd = find_crowd(wishes))
        return fmt::format("fewer cores: {} threads would have {} to compute on", crowd->threads,
                           crowd->cpus.empty() ? "none" : to_text(crowd->cpus));
    return "";
}

KeptCores::KeptCores(MPI_Comm comm, const FreeCores& wish, int threads, const std::string& where,
                     const std::string& key) {
    const Communicator machine = machine_communicator(comm);
    const CpuSet allowed = threads > 0 ? cpus_of_computing_threads() : allowed_cpus();
    const std::vector<RankCpus> ranks = gather_cpus(machine.get(), allowed, threads);
    if (wish.is_automatic()) {
        settle_servers(ranks);
        return;
    }
    std::string told = machine.rank() == 0 ? choose(wish, ranks) : "";
    broadcast(machine.get(), told);
    agree(comm, [&] { base::require(!told.starts_with('!'), where, key, wish.text, told.substr(1)); });
    std::vector<CpuSet> free;
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) free.push_back(cpu_list(line).value_or(CpuSet{}));
    of_machine_ = united(free);
    settle_servers(ranks);
    if (threads > 0)
        keep_off(free[static_cast<std::size_t>(machine.rank())]);
    else
        run_on(servers_[static_cast<std::size_t>(
            std::count_if(ranks.begin(), ranks.begin() + machine.rank(),
                          [](const RankCpus& rank) { return rank.threads == 0; }))]);
}

// A server that would share cores with those who compute goes to the free ones.
void KeptCores::settle_servers(std::span<const RankCpus> ranks) {
    std::vector<CpuSet> computing;
    for (const RankCpus& rank : ranks)
        if (rank.threads > 0) computing.push_back(rank.allowed);
    for (const RankCpus& rank : ranks) {
        if (rank.threads > 0) continue;
        const bool apart = difference(rank.allowed, united(computing)).size() == rank.allowed.size();
        servers_.push_back(apart || of_machine_.empty() ? rank.allowed : of_machine_);
    }
}

void KeptCores::keep_off(const CpuSet& mine) {
    const CpuSet rest = difference(cpus_of_computing_threads(), of_machine_);
    before_ = cpus_of_each_thread();
    if (!rest.empty() && !of_machine_.empty())
        exec::for_each_cell(0, static_cast<std::int32_t>(before_.size()), [&](std::int32_t i) {
            const CpuSet own = difference(before_[i], of_machine_);
            run_on(own.empty() ? rest : own);  // of what this process may use
        });
    hand_out_cores(mine, rest);
}

KeptCores::~KeptCores() {
    hand_out_cores({}, {});
    exec::for_each_cell(0, static_cast<std::int32_t>(before_.size()),
                        [&](std::int32_t i) { run_on(before_[i]); });
}

}  // namespace groundswell::parallel
