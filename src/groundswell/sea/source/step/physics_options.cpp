#include "groundswell/sea/source/physics_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/source/integration.hpp"
#include "groundswell/sea/source/packages/list.hpp"
#include "groundswell/sea/source/terms/list.hpp"

namespace groundswell::sea {

namespace {

// Adds those that are not there yet.
void add(std::vector<Coefficient>& all, std::span<const Coefficient> more) {
    for (const Coefficient& one : more)
        if (std::ranges::find(all, one.name, &Coefficient::name) == all.end()) all.push_back(one);
}

packages::PackageKind kind_of(std::string_view package) {
    for (packages::PackageKind& kind : packages::list())
        if (kind.name == package) return std::move(kind);
    throw base::Defect(fmt::format("no package of source terms is called {}", package));
}

const Coefficient& known(std::string_view name) {
    const std::vector<Coefficient>& all = physics_coefficients();
    const auto found = std::ranges::find(all, name, &Coefficient::name);
    GS_ASSERT(found != all.end());
    return *found;
}

}  // namespace

const std::vector<terms::SourceTermKind>& terms::by_place() {
    static const std::vector<SourceTermKind> kinds = [] {
        std::vector<SourceTermKind> all = list();
        std::ranges::stable_sort(all, {}, &SourceTermKind::place);
        return all;
    }();
    return kinds;
}

std::vector<std::string> source_term_names() {
    std::vector<std::string> names;
    for (const terms::SourceTermKind& kind : terms::by_place()) names.emplace_back(kind.name);
    return names;
}

std::vector<std::string> physics_tunings(std::string_view package) {
    std::vector<std::string> names;
    for (const packages::Tuning& tuning : kind_of(package).tunings) names.emplace_back(tuning.name);
    return names;
}

std::vector<Coefficient> physics_coefficients(const std::vector<std::string>& names) {
    std::vector<Coefficient> all;
    add(all, std::array{common::minimum_depth, common::air_density, common::water_density});
    for (const terms::SourceTermKind& kind : terms::by_place())
        if (std::ranges::count(names, kind.name) > 0) add(all, kind.coefficients);
    add(all, SourceIntegration::coefficients);
    return all;
}

const std::vector<Coefficient>& physics_coefficients() {
    static const std::vector<Coefficient> coefficients = physics_coefficients(source_term_names());
    return coefficients;
}

PhysicsOptions::PhysicsOptions() {
    choose("st4");
}

double PhysicsOptions::value(std::string_view name) const {
    return (*this)[known(name)];
}

void PhysicsOptions::set(std::string_view name, double value) {
    values_.insert_or_assign(std::string(known(name).name), value);
}

void PhysicsOptions::choose(std::string_view package_name) {
    const packages::PackageKind kind = kind_of(package_name);
    package = package_name;
    terms.assign(kind.terms.begin(), kind.terms.end());
    values_.clear();
    tune(kind.tunings.empty() ? "" : kind.tunings.front().name);
}

void PhysicsOptions::tune(std::string_view tuning_name) {
    const packages::PackageKind kind = kind_of(package);
    tuning = tuning_name;
    bool found = kind.tunings.empty();
    for (const packages::Tuning& other : kind.tunings)
        for (const auto& [name, value] : other.values) set(name, known(name).usual);
    for (const packages::Tuning& one : kind.tunings) {
        if (one.name != tuning_name) continue;
        found = true;
        for (const auto& [name, value] : one.values) set(name, value);
    }
    GS_ASSERT(found);
}

}  // namespace groundswell::sea
