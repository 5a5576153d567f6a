#include "groundswell/base/version.hpp"

namespace groundswell::base {

std::string version() {
    return GROUNDSWELL_VERSION;
}

}  // namespace groundswell::base
