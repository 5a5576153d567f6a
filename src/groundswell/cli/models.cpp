#include "groundswell/cli/models.hpp"

#include "groundswell/quake/run_model.hpp"
#include "groundswell/sea/run_model.hpp"

namespace groundswell::cli {

const std::vector<simulation::ModelKind>& models() {
    static const std::vector<simulation::ModelKind> kinds = {
        sea::model_kind(),
        quake::model_kind(),
    };
    return kinds;
}

}  // namespace groundswell::cli
