#include "groundswell/sea/case.hpp"
#include "fuzz.hpp"
#include "groundswell/sea/time_plan.hpp"

// Case files, up to the plan of their steps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    const std::string path = fuzz::as_file("case.toml", data, size);
    fuzz::may_refuse([&] {
        std::vector<simulation::KeyRecord> keys;
        const sea::Case run = sea::read_case(path, {}, &keys);
        sea::make_time_plan(run, 700.0);
    });
    return 0;
}
