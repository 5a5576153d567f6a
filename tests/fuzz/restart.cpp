#include <optional>

#include "fuzz.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/sea/model_state.hpp"
#include "groundswell/sea/step_rules.hpp"
#include "groundswell/simulation/streams/restart.hpp"
#include "support/sea_case.hpp"

// Restart files of a small sea, to continue a run and to start one; and what `verify` and `compare` say of
// them.
namespace {

using namespace groundswell;

// The sea that the seeds are of. Never destroyed: MPI may end before it.
struct Sea {
    sea::Case run = test::read_sea_case(GROUNDSWELL_FUZZ_SEEDS "/case/good.toml");
    voronoi::LoadedMesh loaded = [this] {
        voronoi::LoadOptions options;
        options.layers = 2;
        return voronoi::load_mesh(MPI_COMM_SELF, run.mesh.file, options);
    }();
    sea::Model model{loaded.comm.get(), run, loaded.mesh};
    output::Decomposition faces{loaded.comm.get(),
                                loaded.mesh.global_cells,
                                {loaded.mesh.face.data(), static_cast<std::size_t>(loaded.mesh.owned)}};
};

Sea* small_sea = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    fuzz::begin();
    small_sea = new Sea;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (fuzz::is_hdf5(data, size)) return -1;
    const std::string path = fuzz::as_file("restart.nc", data, size);
    sea::Case& run = small_sea->run;
    sea::Model& model = small_sea->model;
    const MPI_Comm comm = small_sea->loaded.comm.get();
    const simulation::State state = sea::model_state(run, model, small_sea->faces);
    fuzz::may_refuse([&] {
        const simulation::RestartPoint point = simulation::read_restart_point(path, run, state);
        simulation::continue_schedule(run, point.schedule, sea::step_rules(run, model.step_limit().seconds));
        simulation::read_restart_state(comm, path, state);
    });
    run.initial_restart = path;
    fuzz::may_refuse([&] {
        simulation::check_initial_restart(run, state);
        simulation::read_restart_state(comm, path, state);
    });
    fuzz::may_refuse([&] { output::verify_file(path); });
    fuzz::may_refuse([&] {
        const output::Reader file(path);
        const output::Reader good(GROUNDSWELL_FUZZ_SEEDS "/restart/good.nc");
        output::compare(file, good, {});
    });
    return 0;
}
