#include "fuzz.hpp"
#include "groundswell/sea/step_rules.hpp"
#include "support/sea_case.hpp"

// Case files, up to the schedule of their steps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    const std::string path = fuzz::as_file("case.toml", data, size);
    fuzz::may_refuse([&] {
        std::vector<simulation::KeyRecord> keys;
        const sea::Case run = test::read_sea_case(path, {}, &keys);
        simulation::make_schedule(run, sea::step_rules(run, 700.0));
    });
    return 0;
}
