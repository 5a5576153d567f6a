#include "groundswell/base/version.hpp"

#include <utility>

namespace groundswell::base {

namespace {

std::string& state_of_sources() {
    static std::string state;
    return state;
}

}  // namespace

std::string version() {
    return GROUNDSWELL_VERSION;
}

const std::string& source_state() {
    return state_of_sources();
}

void set_source_state(std::string state) {
    state_of_sources() = std::move(state);
}

}  // namespace groundswell::base
