#include "groundswell/simulation/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/report_content.hpp"

namespace groundswell::simulation {

namespace {

nlohmann::json& at(nlohmann::json& root, std::string_view key) {
    std::string pointer("/");
    pointer += key;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return root[nlohmann::json::json_pointer(pointer)];
}

}  // namespace

Report::Report() : content_(std::make_unique<Content>()) {}
Report::~Report() = default;

void Report::set(std::string_view key, double value) {
    at(content_->json, key) = value;
}

void Report::set(std::string_view key, std::int64_t value) {
    at(content_->json, key) = value;
}

void Report::set(std::string_view key, std::string_view value) {
    at(content_->json, key) = std::string(value);
}

void Report::set(std::string_view key, const parallel::Statistic& value) {
    at(content_->json, key) = statistic_json(value);
}

parallel::Statistic Report::set_over_ranks(MPI_Comm comm, std::string_view key, double mine) {
    const parallel::Statistic found = parallel::statistic(comm, mine);
    set(key, found);
    return found;
}

void Report::set_reading(MPI_Comm comm, std::string_view what, const parallel::ReadCost& cost) {
    for (const auto& [key, mine] : {std::pair{"messages", cost.messages},
                                    {"bytes_sent", cost.bytes_sent},
                                    {"bytes_read", cost.bytes_read}})
        set_over_ranks(comm, fmt::format("reading.{}.{}", what, key), static_cast<double>(mine));
}

void Report::add_line(std::string_view text) {
    content_->lines += text;
    content_->lines += '\n';
}

}  // namespace groundswell::simulation
