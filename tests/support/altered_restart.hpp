#pragma once

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/model_state.hpp"
#include "groundswell/simulation/streams/restart.hpp"
#include "support/sea_case.hpp"

namespace groundswell::test {

/// A small restart file with checksums, of twelve cells, and what a run makes of it when bytes of it are
/// others.
class AlteredRestart {
public:
    AlteredRestart()
        : folder_(make_folder()),
          path_((folder_ / "restart.nc").string()),
          run_(read(folder_)),
          loaded_(voronoi::load_mesh(MPI_COMM_SELF, [] { return voronoi::icosahedral(1, 3000.0); })),
          model_(MPI_COMM_SELF, run_, loaded_.mesh),
          faces_(MPI_COMM_SELF, loaded_.mesh.global_cells,
                 {loaded_.mesh.face.data(), static_cast<std::size_t>(loaded_.mesh.owned)}) {
        schedule_.start = run_.time.start;
        schedule_.interval = base::seconds(3600);
        schedule_.cycles = 12;
        schedule_.total_steps = 24;
        model_.restart(schedule_, step);
        for (std::size_t i = 0; i < values(); ++i)
            model_.action()[i] = static_cast<sea::Real>(1e-3 * static_cast<double>(i % 977 + 1));
        float count = 1.0f;
        for (sea::SourceState& state : model_.source_states()) {
            state.friction_velocity = 0.01f * count;
            state.roughness = 0.001f * count;
            state.charnock = 0.002f * count;
            state.wave_stress_x = 0.03f * count;
            state.wave_stress_y = -0.04f * count;
            ++count;
        }
        output::OutputOptions options;
        options.mode = "serial";
        options.checksums = true;
        output::Output output(MPI_COMM_SELF, options);
        simulation::write_restart(output, path_, run_, whole_state(), {schedule_, step}, "", {});
        output.finish();
        std::ifstream stream(path_, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(stream), {});
        wanted_ = state();
    }
    ~AlteredRestart() { std::filesystem::remove_all(folder_); }
    AlteredRestart(const AlteredRestart&) = delete;
    AlteredRestart& operator=(const AlteredRestart&) = delete;

    std::size_t size() const { return bytes_.size(); }

    enum class Answer { same, refused, another };
    /// What the file gives with this byte exclusive-or `mask`: the state that was stored, a refusal, or,
    /// which must not be, anything else.
    Answer with(std::size_t byte, unsigned char mask) {
        write(byte, mask);
        std::fill_n(model_.action(), values(), sea::Real{0});
        for (sea::SourceState& each : model_.source_states()) each = {};
        try {
            const simulation::RestartPoint point = simulation::read_restart_point(path_, run_, whole_state());
            simulation::read_restart_state(MPI_COMM_SELF, path_, whole_state());
            const simulation::Schedule& found = point.schedule;
            const bool same_point = point.step == step && found.start == schedule_.start &&
                                    found.interval == schedule_.interval &&
                                    found.cycles == schedule_.cycles &&
                                    found.steps_per_cycle == schedule_.steps_per_cycle;
            return same_point && state() == wanted_ ? Answer::same : Answer::another;
        } catch (const base::Refusal&) {
            return Answer::refused;
        }
    }

private:
    static constexpr std::int64_t step = 12;

    static std::filesystem::path make_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "groundswell-restart-XXXXXX").string();
        GS_ASSERT(::mkdtemp(name.data()) != nullptr);
        return name;
    }

    static sea::Case read(const std::filesystem::path& folder) {
        std::ofstream(folder / "case.toml")
            << "title = \"r\"\n[time]\nstart = 2024-09-06T00:00:00Z\nend = 2024-09-06T02:00:00Z\n"
               "[mesh]\nfile = \"none.nc\"\n[[wind]]\nuniform = [10.0, 0.0]\n"
               "[spectrum]\ndirections = 16\nfrequencies = 3\n";
        return read_sea_case((folder / "case.toml").string());
    }

    void write(std::size_t byte, unsigned char mask) const {
        std::string altered = bytes_;
        altered[byte] = static_cast<char>(static_cast<unsigned char>(altered[byte]) ^ mask);
        std::ofstream(path_, std::ios::binary | std::ios::trunc) << altered;
    }

    std::size_t values() const {
        return static_cast<std::size_t>(loaded_.mesh.owned) * model_.grid().stride();
    }

    simulation::State whole_state() { return sea::model_state(run_, model_, faces_); }

    /// Bits of the bins and of the air over each cell.
    std::vector<sea::Real> state() const {
        std::vector<sea::Real> all;
        const sea::SpectralGrid& grid = model_.grid();
        for (std::size_t cell = 0; cell < static_cast<std::size_t>(loaded_.mesh.owned); ++cell)
            for (int i = 0; i < grid.frequencies; ++i)
                for (int j = 0; j < grid.directions; ++j)
                    all.push_back(std::as_const(model_).action()[cell * grid.stride() + grid.index(i, j)]);
        for (const sea::SourceState& each : model_.source_states())
            all.insert(all.end(), {each.friction_velocity, each.roughness, each.charnock, each.wave_stress_x,
                                   each.wave_stress_y});
        return all;
    }

    std::filesystem::path folder_;
    std::string path_;
    sea::Case run_;
    voronoi::LoadedMesh loaded_;
    sea::Model model_;
    output::Decomposition faces_;
    simulation::Schedule schedule_;
    std::string bytes_;
    std::vector<sea::Real> wanted_;
};

}  // namespace groundswell::test
