#include "groundswell/cli/command.hpp"
#include "groundswell/cli/model_list.hpp"

namespace groundswell::cli {

std::span<const CommandRow> commands() {
#define COMMAND(name, meaning) {#name, meaning, &add_##name},
#define TOOL(name, meaning) {#name, meaning, nullptr},
    static constexpr CommandRow rows[] = {
#include "groundswell/cli/commands.inc"
    };
#undef COMMAND
#undef TOOL
    return rows;
}

const std::vector<simulation::ModelKind>& models() {
    static const std::vector<simulation::ModelKind> kinds = model_list();
    return kinds;
}

}  // namespace groundswell::cli
