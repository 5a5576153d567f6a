#include "groundswell/cli/command.hpp"

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

}  // namespace groundswell::cli
