#include <vector>

#include "fuzz.hpp"
#include "groundswell/cli/command.hpp"
#include "support/sea_case.hpp"

// Command lines, one argument a line; and each line as what --set says of a case. No command is carried out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    std::vector<std::string> arguments(1);
    for (const char character : fuzz::text(data, size)) {
        if (character == '\n')
            arguments.emplace_back();
        else if (character != '\0')
            arguments.back().push_back(character);
    }
    simulation::CommandLine program{"groundswell"};
    program.require_command();
    std::vector<cli::Action> actions;  // they hold what the options write to
    for (const auto add : {cli::add_run, cli::add_compare, cli::add_verify, cli::add_doctor, cli::add_proxy,
                           cli::add_halo, cli::add_partition, cli::add_volume})
        actions.push_back(add(program));
    std::vector<const char*> pointers = {"groundswell"};
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    program.read(static_cast<int>(pointers.size()), pointers.data());  // usage may be refused

    simulation::CaseOverrides overrides;
    for (const std::string& argument : arguments) {
        overrides.set = {argument};
        fuzz::may_refuse([&] { test::read_sea_case(GROUNDSWELL_FUZZ_SEEDS "/case/good.toml", overrides); });
    }
    overrides.set = arguments;
    fuzz::may_refuse([&] { test::read_sea_case(GROUNDSWELL_FUZZ_SEEDS "/case/good.toml", overrides); });
    return 0;
}
