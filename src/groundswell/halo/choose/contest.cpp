#include "groundswell/halo/choose/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/percentile.hpp"

namespace groundswell::halo {

namespace {

constexpr double first_part = 0.5;                      // of the time, for a look at everyone
constexpr std::size_t first_quiet = 3, first_most = 6;  // exchanges at the first look
constexpr double hopeless = 3.0;                        // times the best: not looked at further
constexpr std::size_t most_finalists = 3;
constexpr double promising = 1.5;                         // times the best: worth a place among them
constexpr std::size_t final_quiet = 15, final_most = 60;  // exchanges of each in all
constexpr double noise = 0.03;                            // of the shortest: what no exchange can tell
constexpr std::size_t few = 3;                            // exchanges that are not enough to be sure

double shortest(const std::vector<double>& seconds) {
    return seconds.empty() ? std::numeric_limits<double>::infinity()
                           : *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace

void Contest::add(std::size_t who, const Sample& sample) {
    (sample.disturbed ? contestants_[who].disturbed : contestants_[who].quiet).push_back(sample.seconds);
    elapsed_ = sample.elapsed;
}

bool Contest::was_tried(std::size_t who) const {
    return !contestants_[who].withdrawn && contestants_[who].taken() > 0;
}

double Contest::seconds(std::size_t who) const {
    return shortest(contestants_[who].counted());
}

int Contest::exchanges(std::size_t who) const {
    return static_cast<int>(contestants_[who].counted().size());
}

double Contest::best() const {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t who = 0; who < contestants_.size(); ++who)
        if (was_tried(who)) best = std::min(best, seconds(who));
    return best;
}

bool Contest::admits_another() const {
    return elapsed_ < first_part * bound || best() == std::numeric_limits<double>::infinity();
}

bool Contest::wants(std::size_t who) const {
    const Contestant& one = contestants_[who];
    if (one.taken() == 0) return true;
    if (elapsed_ >= first_part * bound) return false;
    if (!one.quiet.empty() && seconds(who) > hopeless * best()) return false;
    return one.quiet.size() < first_quiet && one.taken() < first_most;
}

std::vector<std::size_t> Contest::finalists() const {
    std::vector<std::size_t> best_few;
    const double limit = promising * best();
    for (std::size_t who = 0; who < contestants_.size(); ++who)
        if (was_tried(who) && seconds(who) <= limit) best_few.push_back(who);
    std::ranges::stable_sort(best_few, {}, [this](std::size_t who) { return seconds(who); });
    best_few.resize(std::min(best_few.size(), most_finalists));
    std::ranges::sort(best_few);
    return best_few;
}

bool Contest::goes_on(const std::vector<std::size_t>& finalists) const {
    if (elapsed_ >= bound || finalists.size() < 2) return false;
    return std::ranges::any_of(finalists, [this](std::size_t who) {
        return contestants_[who].quiet.size() < final_quiet && contestants_[who].taken() < final_most;
    });
}

std::size_t Contest::winner() const {
    const double least = best();
    for (std::size_t who = 0; who < contestants_.size(); ++who)
        if (was_tried(who) && seconds(who) == least) return who;
    GS_ASSERT(false);
    return 0;
}

std::optional<std::size_t> Contest::runner_up() const {
    std::optional<std::size_t> second;
    const std::size_t first = winner();
    for (std::size_t who = 0; who < contestants_.size(); ++who)
        if (who != first && was_tried(who) && (!second || seconds(who) < seconds(*second))) second = who;
    return second;
}

std::string Contest::doubt(const std::vector<std::string>& names) const {
    std::string text;
    const auto add = [&](const std::string& reason) { text += (text.empty() ? "" : "; ") + reason; };
    const std::size_t first = winner();
    if (const auto second = runner_up()) {
        const double spread = base::percentile(contestants_[first].counted(), 0.5) / seconds(first) - 1.0;
        if (seconds(*second) < seconds(first) * (1.0 + std::max(noise, spread)))
            add(fmt::format("{} is as fast within the noise", names[*second]));
    }
    std::size_t taken = 0, disturbed = 0, untried = 0;
    for (const Contestant& one : contestants_) {
        taken += one.taken();
        disturbed += one.disturbed.size();
        untried += !one.withdrawn && one.taken() == 0 ? 1 : 0;
    }
    if (disturbed == 0 && taken < few) add(fmt::format("{} exchanges are few", taken));
    if (disturbed > 0 && (contestants_[first].quiet.size() < few || 4 * disturbed > taken))
        add(fmt::format("ranks lost their cores in {} of {} trials", disturbed, taken));
    if (untried > 0) add(fmt::format("{} more had no time to be tried", untried));
    return text;
}

}  // namespace groundswell::halo
