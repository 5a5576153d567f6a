#pragma once

#include <string>

namespace groundswell::simulation {

/// One line on standard error that tells how far a run is: rewritten in place on a terminal, else a plain
/// line at growing intervals so that a log stays short. Used by one rank.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet);
    /// Ends the line on a terminal.
    ~ProgressLine();

    /// Whether enough time has passed since the last line for another one; cheap.
    bool is_due() const;
    void show(const std::string& text);
    /// Ends the line, so that other messages start on a fresh one.
    void finish();

private:
    bool quiet_, terminal_;
    double interval_, next_;
    std::size_t width_ = 0;
};

/// Seconds as people say them: "42 s", "3 min 20 s", "2 h 05 min".
std::string format_seconds(double seconds);

}  // namespace groundswell::simulation
