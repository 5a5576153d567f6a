#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Finds the fastest of several, from few measurements on a machine that others may disturb, in bounded time.
/// Arithmetic alone: it neither measures nor knows what is measured.
namespace groundswell::halo {

/// One exchange in a trial, the same on all ranks.
struct Sample {
    double seconds = 0.0;    ///< on the slowest rank
    double elapsed = 0.0;    ///< since the beginning of all trials, at its end
    bool disturbed = false;  ///< a rank lost its core meanwhile
};

/// First everyone has a few exchanges, as long as half of the time lasts, then the best few in turns until
/// the time is over. Exchanges that were disturbed do not count and are taken again, unless a contestant has
/// no others. The time is kept but for what the last exchange took.
class Contest {
public:
    static constexpr double bound = 0.1;  ///< s, for all trials together

    explicit Contest(std::size_t contestants) : contestants_(contestants) {}

    void add(std::size_t who, const Sample& sample);
    /// Time that passes with something else than a sample, a first exchange that sets up connections.
    void pass(double elapsed) { elapsed_ = elapsed; }
    /// Takes a contestant out that turned out not to work.
    void withdraw(std::size_t who) { contestants_[who].withdrawn = true; }

    /// Whether there is time to look at another contestant; for one there always is.
    bool admits_another() const;
    /// Whether this one should have one more exchange of the first few.
    bool wants(std::size_t who) const;

    /// The best few so far, in their order.
    std::vector<std::size_t> finalists() const;
    /// Whether these should have one more exchange each.
    bool goes_on(const std::vector<std::size_t>& finalists) const;

    /// Whose shortest exchange is the shortest; the first of equal ones.
    std::size_t winner() const;
    bool was_tried(std::size_t who) const;
    double seconds(std::size_t who) const;  ///< of its shortest exchange that counts
    int exchanges(std::size_t who) const;   ///< that count
    double elapsed() const { return elapsed_; }

    /// Reason to doubt the winner; empty if nothing does. `names`: of the contestants.
    std::string doubt(const std::vector<std::string>& names) const;

private:
    struct Contestant {
        std::vector<double> quiet, disturbed;  // s
        bool withdrawn = false;

        const std::vector<double>& counted() const { return quiet.empty() ? disturbed : quiet; }
        std::size_t taken() const { return quiet.size() + disturbed.size(); }
    };
    double best() const;
    std::optional<std::size_t> runner_up() const;

    std::vector<Contestant> contestants_;
    double elapsed_ = 0.0;
};

}  // namespace groundswell::halo
