#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <memory>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/mesh/write_puml.hpp"

namespace groundswell::cli {

namespace {

struct BoxCommand {
    std::string cubes, length, output, origin = "0,0,0", periodic;
    std::string lateral = "absorbing", bottom = "absorbing", top = "free";
    double jitter = 0.0;
    std::int64_t seed = 1;
    bool overwrite = false;
};

// Three numbers with commas between.
template <class T>
std::array<T, 3> three(const std::string& text, const char* option, const char* expected) {
    std::array<T, 3> values{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (int i = 0; i < 3; ++i) {
        const auto [behind, error] = std::from_chars(at, end, values[i]);
        const bool ends = i == 2 ? behind == end : behind != end && *behind == ',';
        base::require(error == std::errc{} && ends, "command line", option, text, expected);
        at = behind + 1;
    }
    return values;
}

tetra::Boundary boundary_of(const std::string& word) {
    return word == "free" ? tetra::Boundary::free : tetra::Boundary::absorbing;
}

tetra::Box box_of(const BoxCommand& command) {
    tetra::BoxOptions box;
    box.cubes = three<std::int64_t>(command.cubes, "--cubes", "three numbers of cubes, such as 20,20,10");
    for (const std::int64_t cubes : box.cubes)
        base::require(cubes > 0 && cubes <= 100000, "command line", "--cubes", command.cubes,
                      "1 to 100000 along each axis");
    box.length = three<double>(command.length, "--length", "three lengths in m, such as 20e3,20e3,10e3");
    box.origin = three<double>(command.origin, "--origin", "three coordinates in m, such as 0,0,-10e3");
    for (const char axis : command.periodic) {
        base::require((axis >= 'x' && axis <= 'z') || axis == ',', "command line", "--periodic",
                      command.periodic, "axes, such as x,y");
        if (axis != ',') box.periodic[axis - 'x'] = true;
    }
    box.jitter = command.jitter;
    box.seed = static_cast<std::uint64_t>(command.seed);
    const tetra::Boundary lateral = boundary_of(command.lateral);
    box.boundary = {
        {{lateral, lateral}, {lateral, lateral}, {boundary_of(command.bottom), boundary_of(command.top)}}};
    return tetra::Box(box);
}

int run_box(const parallel::Environment& environment, const BoxCommand& command) {
    const tetra::Box box = parallel::agree(environment.comm(), [&] {
        output::check_target(command.output, command.overwrite, {});
        return box_of(command);
    });
    quake::write_puml(environment.comm(), box, command.output, command.overwrite);
    if (environment.rank() == 0)
        std::cout << fmt::format("{}: {} cells, {} vertices\n", command.output, box.cells(), box.vertices())
                  << std::flush;
    return 0;
}

}  // namespace

Action add_box(simulation::Command command) {
    auto options = std::make_shared<BoxCommand>();
    command.footer(
        "Example: groundswell box --cubes 20,20,10 --length 20e3,20e3,10e3 --origin 0,0,-10e3 --output "
        "box.h5\n"
        "The same as groundswell mesh make --box. A case needs no file for a box: see [mesh.box].");
    command.option("--cubes", options->cubes, "cubes along x, y and z; even and at least 4 where periodic")
        .required()
        .type_name("NX,NY,NZ");
    command.option("--length", options->length, "lengths along x, y and z, m")
        .required()
        .type_name("LX,LY,LZ");
    command.option("--output", options->output, "mesh file to write").required().type_name("MESH.h5");
    command.option("--origin", options->origin, "the lowest corner, m").type_name("X,Y,Z").shows_default();
    command.option("--periodic", options->periodic, "periodic axes, whose two ends are one")
        .type_name("x,y,z");
    command
        .option("--jitter", options->jitter,
                "how far vertices are moved at random, as a fraction of a cube's edge")
        .within(0.0, 0.2)
        .shows_default();
    command.option("--seed", options->seed, "seed of the jitter").not_below_zero().shows_default();
    for (auto [name, target] : {std::pair{"--lateral", &options->lateral},
                                {"--bottom", &options->bottom},
                                {"--top", &options->top}})
        command.option(name, *target, "free or absorbing").one_of({"free", "absorbing"}).shows_default();
    command.flag("--overwrite", options->overwrite, "replace the file if it exists");
    return together([options](const auto& environment) { return run_box(environment, *options); });
}

}  // namespace groundswell::cli
