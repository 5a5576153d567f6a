#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/words.hpp"
#include "groundswell/sea/source/packages/list.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

namespace {

using terms::SourceTermKind;

bool is_of(const SourceTermKind& kind, const PhysicsOptions& options) {
    return std::ranges::count(options.terms, kind.name) > 0;
}

void check_terms(const simulation::Section& physics, const PhysicsOptions& options) {
    if (options.package == "none" && physics.has("terms"))
        physics.refuse("terms", "no terms, because package none is propagation alone");
    const SourceTermKind* last = nullptr;
    for (const SourceTermKind& kind : terms::by_place()) {
        if (!is_of(kind, options)) continue;
        if (last != nullptr && last->place == kind.place && kind.place != terms::usual_place)
            physics.refuse("terms",
                           fmt::format("{} or {}: both stand for the same process", last->name, kind.name));
        last = &kind;
    }
    const auto is_wind = [&](const SourceTermKind& kind) { return kind.meets_air && is_of(kind, options); };
    if (std::ranges::count_if(terms::by_place(), is_wind) > 1)
        physics.refuse("terms", "one wind input at most, because it finds the friction velocity");
}

// Refuses a coefficient that none of the case's terms has, and names the one of them that may be meant: by its name, or else the
// first one of the term that stands in the place of its own.
void refuse_coefficient(const simulation::Section& physics, const PhysicsOptions& options,
                        std::string_view name) {
    std::vector<std::string> own;
    for (const Coefficient& c : physics_coefficients(options.terms)) own.emplace_back(c.name);
    std::string nearest = base::nearest_word(name, own);
    const auto has_it = [&](const SourceTermKind& kind) {
        return std::ranges::find(kind.coefficients, name, &Coefficient::name) != kind.coefficients.end();
    };
    const SourceTermKind& its = *std::ranges::find_if(terms::by_place(), has_it);
    for (const SourceTermKind& kind : terms::by_place())
        if (nearest.empty() && kind.place == its.place && is_of(kind, options))
            nearest = kind.coefficients.front().name;
    physics.refuse(
        name, fmt::format("a coefficient of the terms of package {}: {} has this one{}", options.package,
                          its.name, nearest.empty() ? "" : fmt::format("; the nearest is '{}'", nearest)));
}

}  // namespace

PhysicsOptions read_physics_options(const simulation::Section& physics) {
    std::vector<std::string> names, tunings, of_names, of_tunings;
    for (const packages::PackageKind& kind : packages::list()) {
        names.emplace_back(kind.name);
        of_names.push_back(fmt::format("{}: {}", kind.name, kind.meaning));
        for (const packages::Tuning& tuning : kind.tunings) {
            tunings.emplace_back(tuning.name);
            of_tunings.push_back(fmt::format("{}: {}", tuning.name, tuning.meaning));
        }
    }
    PhysicsOptions options;
    const std::string package = physics.choice(
        "package", "st4", names, {fmt::format("which source terms ({})", fmt::join(of_names, "; "))});
    options.choose(package);
    const std::string tuning = physics.choice(
        "tuning", options.tuning.empty() ? tunings.front() : options.tuning, tunings,
        {fmt::format("which values of the package's coefficients ({})", fmt::join(of_tunings, "; "))});
    const std::vector<std::string> own = physics_tunings(package);
    if (!own.empty() && std::ranges::find(own, tuning) == own.end())
        physics.refuse("tuning", fmt::format("one of {} for the package {}", fmt::join(own, ", "), package));
    options.tune(tuning);
    options.terms = physics.words("terms", options.terms, source_term_names(),
                                  {"source terms, summed in this order; one of them at most a wind input, "
                                   "which first finds how the air meets the sea"});
    check_terms(physics, options);
    options.relative_wind = physics.boolean("relative_wind", false,
                                            {"with a [[current]], source terms feel the wind over the moving "
                                             "water in place of that over the ground"});
    const std::vector<Coefficient> asked =
        physics.describing() ? physics_coefficients() : physics_coefficients(options.terms);
    for (const Coefficient& c : physics_coefficients())
        if (std::ranges::find(asked, c.name, &Coefficient::name) == asked.end() && physics.has(c.name))
            refuse_coefficient(physics, options, c.name);
    for (const Coefficient& c : asked)
        options.set(c.name, physics.number(c.name, options[c], {c.minimum, c.maximum},
                                           {c.meaning, c.unit, c.source}));
    if (options.package == "none") options.terms.clear();
    return options;
}

}  // namespace groundswell::sea
