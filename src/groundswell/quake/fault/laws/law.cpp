#include "groundswell/quake/fault/laws/law.hpp"

#include "groundswell/quake/fault/laws/laws.hpp"

namespace groundswell::quake {

namespace {

template <class Law>
constexpr decltype(LawDescription::slip_until) slip_of() {
    if constexpr (imposes_slip<Law>)
        return Law::slip_until;
    else
        return nullptr;
}

template <class Law>
constexpr decltype(LawDescription::left_to_weaken) left_of() {
    if constexpr (requires { Law::left_to_weaken; })
        return Law::left_to_weaken;
    else
        return nullptr;
}

template <class Law>
constexpr LawDescription description_of() {
    return {Law::name,
            Law::meaning,
            Law::source,
            Law::at_places,
            Law::of_fault,
            Law::cost,
            Law::state_unit,
            Law::sticks,
            Law::weakens_where,
            [](PointNumbers<double> parameter, PointNumbers<double> state, double pressure) {
                return Law::strength(parameter, state, pressure);
            },
            Law::weakening,
            Law::forced,
            Law::objection,
            slip_of<Law>(),
            chooses_series<Law>,
            takes_function<Law>,
            left_of<Law>()};
}

template <class... Law>
constexpr std::array<LawDescription, sizeof...(Law)> descriptions_of(LawList<Law...>) {
    return {description_of<Law>()...};
}

constexpr std::array laws = descriptions_of(FrictionLaws{});

}  // namespace

std::span<const LawDescription> friction_laws() {
    return laws;
}

const LawDescription* find_law(std::string_view name) {
    const auto found = std::ranges::find(laws, name, &LawDescription::name);
    return found == laws.end() ? nullptr : &*found;
}

}  // namespace groundswell::quake
