#include <fmt/format.h>

#include <string>

#include "groundswell/base/log.hpp"
#include "groundswell/quake/source/all_sources.hpp"

namespace groundswell::quake {

void warn_of_late_sources(const SourceOptions& options, const std::string& file,
                          std::span<const SpreadRupture> ruptures, double end) {
    std::string name;
    double begin = 0.0;
    int late = 0;
    const auto add = [&](const std::string& its_name, double its_begin) {
        if (++late > 1) return;
        name = its_name;
        begin = its_begin;
    };
    for (const SourceSection& point : options.points)
        if (const double onset = point.source.rate->onset(); onset >= end) add(point.name, onset);
    for (const SpreadRupture& rupture : ruptures)
        if (rupture.times.begin >= end) add(rupture.name, rupture.times.begin);
    if (late == 0) return;
    base::log_warning(
        "{}: {}{}: acts from {:.4g} s on, and time.end is {:.4g} s: less than a thousandth of it comes "
        "before (times are in seconds after the start)",
        file, name, late == 1 ? "" : fmt::format(" and {} more", late - 1), begin, end);
}

}  // namespace groundswell::quake
