#include "groundswell/cli/models.hpp"

#include "groundswell/cli/model_list.hpp"

namespace groundswell::cli {

const std::vector<simulation::ModelKind>& models() {
    static const std::vector<simulation::ModelKind> kinds = model_list();
    return kinds;
}

}  // namespace groundswell::cli
