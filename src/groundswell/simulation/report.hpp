#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::simulation {

/// Additions of a model to the `result` of run.json, and to the summary for people. Keys are dotted:
/// "exchange.bytes" is `bytes` in the table `exchange`.
class Report {
public:
    Report();
    ~Report();
    Report& operator=(Report&&) = delete;  // neither copied nor moved

    void set(std::string_view key, double value);
    void set(std::string_view key, std::int64_t value);
    void set(std::string_view key, std::string_view value);
    void set(std::string_view key, const parallel::Statistic& value);
    /// Least, mean and most over ranks of what each has, which it returns. Collective.
    parallel::Statistic set_over_ranks(MPI_Comm comm, std::string_view key, double mine);
    /// Cost of reading `what` for the ranks, as messages, bytes_sent and bytes_read of reading.`what`. Collective.
    void set_reading(MPI_Comm comm, std::string_view what, const parallel::ReadCost& cost);

    /// A line, or several, of the summary.
    void add_line(std::string_view text);

    struct Content;  ///< of the run's own
    const Content& content() const { return *content_; }

private:
    std::unique_ptr<Content> content_;
};

}  // namespace groundswell::simulation
