#include <fmt/format.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kind.hpp"
#include "groundswell/sea/forcing/shape_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

namespace {

using simulation::Section;

void check_time_units(const Section& section, const FileOptions& options) {
    if (options.units.time.empty() || section.describing()) return;
    bool before_year_one = false;
    try {
        before_year_one =
            gridded::CfTime("", "", options.units.time, options.units.calendar).before_year_one();
    } catch (const base::Refusal&) {
        section.refuse("time_units",
                       "days, hours, minutes or seconds since YYYY-MM-DD [hh:mm:ss], or datenum");
    }
    if (before_year_one && !options.climatology)
        section.refuse(
            "time_units",
            "a date of the standard calendar, which begins with year 1; \"datenum\" for MATLAB's days");
}

void read_units(const Section& section, const ForcingKind& kind, FileOptions& options) {
    std::vector<std::string> words{"file"};
    words.insert(words.end(), kind.units.begin(), kind.units.end());
    const std::string units = section.choice(
        "units", "file", words,
        {fmt::format("unit of the {} where a file states none that is understood", kind.short_noun)});
    options.units.values = units == "file" ? "" : units;
    options.units.time = section.text("time_units", "",
                                      {"unit of the time axis if a file states none, such as \"hours since "
                                       "1900-01-01\"; \"datenum\": MATLAB's days"});
    const std::string calendar = section.choice(
        "calendar", "file", {"file", "standard", "proleptic_gregorian"},
        {"calendar of the time axis where a file states none, as the standard one is taken for"});
    options.units.calendar = calendar == "file" ? "" : calendar;
}

void read_choice_of_entries(const Section& section, const ForcingKind& kind, FileOptions& options) {
    if (section.has("member") || section.describing())
        options.units.member = section.integer("member", 0, {0, 1'000'000},
                                               {"member of an ensemble, by its number in the file"});
    if (section.has("level") || section.describing())
        options.units.level =
            section.number("level", 10.0, {-1e7, 1e7},
                           {fmt::format("level to take, in the unit of the file's vertical axis; without "
                                        "it {}",
                                        kind.level_rule)});
    if (!kind.is_vector) return;
    using gridded::Components;
    options.units.components = section.choice<Components>(
        "components", "file",
        {{"file", Components::as_the_file_says}, {"earth", Components::earth}, {"grid", Components::grid}},
        {"on a rotated or projected grid, components towards true east and north or along the grid's axes, "
         "where a file's standard names do not say it"});
}

void read_gaps(const Section& section, const ForcingKind& kind, FileOptions& options) {
    const bool lands = kind.components.front().quantity.missing_at_land;
    const std::string usual = lands ? "land" : "refuse";
    const std::string gaps = section.choice(
        "gaps", usual, {usual, "nearest", "zero"},
        {fmt::format(
            "where a file has no value around a sea cell: {}, take the nearest value of that time within {} "
            "steps of the grid, or 0",
            lands ? "as on land, those around it that have one count, and 0 without any" : "end the run",
            gridded::nearest_reach)});
    options.units.gaps = gaps == "nearest" ? gridded::Gaps::nearest
                         : gaps == "zero"  ? gridded::Gaps::zero
                                           : gridded::Gaps::refused;
}

// The same key in each sort of entry that can be added to others; those from files can also stand over them.
std::string read_blend(const Section& section, bool from_file) {
    std::vector<std::string> words{"none", "add"};
    if (from_file) words.emplace_back("over");
    return section.choice(
        "blend", "none", words,
        {"how an entry behind the first one goes together with those above it: add, their sum; "
         "over, of a file: where it has values they take the place of those above"});
}
bool read_add(const Section& section) {
    return read_blend(section, false) == "add";
}

void read_blend_of_file(const Section& section, FileOptions& options) {
    const std::string blend = read_blend(section, true);
    options.add = blend == "add";
    const double fade =
        section.number("fade", 4.0, {0.0, 1000.0},
                       {"over: rows and columns along the rim of its grid within which it fades "
                        "into what stands above; 0: none",
                        "1"});
    if (blend == "over") options.over = fade;
}

// "file, uniform or vortex"
std::string list_of_sorts(const ForcingKind& kind) {
    std::string list;
    for (std::size_t i = 0; i < kind.sorts.size(); ++i)
        list += (i == 0 ? "" : i + 1 == kind.sorts.size() ? " or " : ", ") + std::string(kind.sorts[i].key);
    return list;
}

}  // namespace

std::shared_ptr<const ForcingEntry> read_file_entry(const Section& section, const ForcingKind& kind) {
    FileOptions options;
    options.files = section.paths(
        "file",
        {fmt::format(
            "CF NetCDF file(s) with the {} on a grid with axes, in order of time; of a pattern such as "
            "\"{}/*.nc\" all that there are, by name",
            kind.noun, kind.name)});
    for (const ForcingKind::Component& component : kind.components)
        options.names.push_back(section.text(
            component.key, "",
            {&component == &kind.components.front()
                 ? fmt::format("variable of the {}; empty: found by its standard name", component.meaning)
                 : fmt::format("variable of the {}; empty: as above", component.meaning)}));
    read_units(section, kind, options);
    options.climatology =
        section.boolean("climatology", false, {"the file's time axis is one year that repeats"});
    check_time_units(section, options);
    const auto longest = section.duration_or("longest_step", "auto", std::nullopt,
                                             {"longest step between two times that is no gap; auto: none "
                                              "that is much longer than those around it"});
    if (longest) options.longest_step = longest->seconds();
    read_choice_of_entries(section, kind, options);
    read_gaps(section, kind, options);
    read_blend_of_file(section, options);
    return std::make_shared<FileEntry>(std::move(options));
}

std::shared_ptr<const ForcingEntry> read_uniform_entry(const Section& section, const ForcingKind& kind) {
    std::vector<double> values;
    if (kind.is_vector)
        values = section.numbers(
            "uniform", 2,
            {fmt::format("the same {} everywhere: [eastward, northward]", kind.short_noun), kind.unit});
    else
        values = {section.number("uniform", 0.0, {-kind.largest, kind.largest},
                                 {fmt::format("the same {} everywhere", kind.short_noun), kind.unit})};
    return std::make_shared<UniformEntry>(std::move(values), read_add(section));
}

std::shared_ptr<const ForcingEntry> read_shape_entry(const Section& section, const ForcingKind& kind) {
    using Profile = ShapeOptions::Profile;
    ShapeOptions shape;
    const std::string name = section.choice(
        "shape", "jet", {"everywhere", "jet", "step", "ramp", "ring"},
        {"an analytic field, for tests and studies: the same everywhere; across a line exp(-s²/2w²), "
         "½(1 + tanh(s/w)) or from 0 to 1 between s = -w and w; or a round vortex of speed (s/w) exp(½(1 - "
         "s²/w²))"});
    shape.profile = name == "jet"    ? Profile::jet
                    : name == "step" ? Profile::step
                    : name == "ramp" ? Profile::ramp
                    : name == "ring" ? Profile::ring
                                     : Profile::everywhere;
    if (kind.is_vector)
        shape.amplitude = section.numbers(
            "amplitude", 2, {"its largest value: [eastward, northward]; of a ring [speed, 0]", kind.unit});
    else
        shape.amplitude = {section.number("amplitude", std::nullopt, {-kind.largest, kind.largest},
                                          {"its largest value", kind.unit})};
    if (shape.amplitude.empty() && !section.describing())
        section.refuse("amplitude", "[eastward, northward]");
    const std::vector<double> centre = section.numbers(
        "centre", 2, {"[longitude, latitude] of a place on the line, or of the vortex's middle", "degree"});
    if (!centre.empty()) {
        if (std::abs(centre[0]) > 360.0 || std::abs(centre[1]) > 90.0)
            section.refuse("centre", "[longitude, latitude] within ±360 and ±90 degrees");
        shape.longitude = centre[0] * base::degree;
        shape.latitude = centre[1] * base::degree;
    }
    shape.along =
        base::degree *
        section.number("along", 0.0, {-360.0, 360.0},
                       {"bearing of the line, clockwise from north; s grows to its right", "degree"});
    shape.width = 1000.0 * section.number("width", 100.0, {1e-3, 1e5}, {"its w", "km"});
    const auto period = section.duration_or("period", "steady", std::nullopt,
                                            {"period of a tide: the field times cos(2π (t - high)/period)"});
    if (period) shape.period = period->seconds();
    if (section.has("high") || section.describing())
        shape.high =
            section.instant("high", {"a time at which the tide is high; without it 1970-01-01T00:00:00Z"});
    shape.add = read_add(section);
    return std::make_shared<ShapeEntry>(name, std::move(shape));
}

std::string expected_blend(const ForcingKind& kind) {
    return fmt::format(
        "the background {0} to be the first [[{1}]], and behind it only {2}entries with blend = \"add\" or "
        "\"over\"",
        kind.short_noun, kind.name,
        kind.blending_sorts.empty() ? "" : fmt::format("{} and ", kind.blending_sorts));
}

ForcingEntries read_entries(const Section& root, const ForcingKind& kind) {
    ForcingEntries entries;
    for (const Section& section : root.sections(kind.name)) {
        int given = 0;
        for (const ForcingKind::Sort& sort : kind.sorts) given += section.has(sort.key) ? 1 : 0;
        if (!section.describing() && given != 1)
            section.refuse(
                "", fmt::format("exactly one of the keys {} in each [[{}]]", list_of_sorts(kind), kind.name));
        for (const ForcingKind::Sort& sort : kind.sorts) {
            if (!section.has(sort.key) && !section.describing()) continue;
            auto entry = sort.read(section, kind);
            if (!section.describing() && !entries.empty() && entry->blend() == ForcingEntry::Blend::none)
                section.refuse(entry->key(), expected_blend(kind));
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

}  // namespace groundswell::sea
