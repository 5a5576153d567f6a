// Situations of cells whose sea is on a device: what is found there comes without the spectra.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/sea/model.hpp"
#include "support/sea_case.hpp"

namespace groundswell::sea {
namespace {

class SituationsOnADevice : public testing::Test {
protected:
    SituationsOnADevice() {
        std::string name = (std::filesystem::temp_directory_path() / "groundswell-sea-XXXXXX").string();
        GS_ASSERT(::mkdtemp(name.data()) != nullptr);
        folder_ = name;
        ::setenv("GROUNDSWELL_PLAYED_DEVICE", "4", 1);
    }
    ~SituationsOnADevice() override {
        ::unsetenv("GROUNDSWELL_PLAYED_DEVICE");
        std::filesystem::remove_all(folder_);
    }
    sea::Case read(const std::string& device) const {
        const std::string file = (folder_ / (device + ".toml")).string();
        std::ofstream(file)
            << "title = \"a sea\"\n[time]\nstart = 2024-09-06T00:00:00Z\n"
               "end = 2024-09-06T02:00:00Z\n[mesh]\nfile = \"none.nc\"\n"
               "[[wind]]\nuniform = [15.0, 4.0]\n[[ice]]\nuniform = 0.2\n"
               "[initial]\nstate = \"wind-sea\"\nfetch = 100\n"
               "[spectrum]\ndirections = 12\nfrequencies = 15\nratio = 1.2\n[run]\ndevice = \""
            << device << "\"\n";
        return groundswell::test::read_sea_case(file);
    }

    voronoi::LoadedMesh loaded =
        voronoi::load_mesh(MPI_COMM_SELF, [] { return voronoi::icosahedral(1, 60.0); });

private:
    std::filesystem::path folder_;
};

TEST_F(SituationsOnADevice, WhatWavesGiveToTheOceanComesWithoutSpectra) {
    const sea::Case by_processor = read("cpu"), by_device = read("gpu");
    Model here(MPI_COMM_SELF, by_processor, loaded.mesh), there(MPI_COMM_SELF, by_device, loaded.mesh);
    simulation::Schedule schedule;
    schedule.start = by_device.time.start;
    schedule.interval = base::seconds(600);
    schedule.cycles = 3;
    schedule.total_steps = 3;
    here.start(schedule);
    there.start(schedule);
    const auto spectra = [&] {
        std::vector<Real> all;
        for (std::int32_t cell = 0; cell < loaded.mesh.owned; ++cell) {
            const Real* const bins = there.spectrum(cell).action;
            all.insert(all.end(), bins, bins + there.grid().stride());
        }
        return all;
    };
    std::vector<CellSituation> expected, found;
    for (int step = 0; step <= schedule.total_steps; ++step) {
        SCOPED_TRACE(step);
        const std::vector<Real> older = spectra();
        here.find_situations(Reads::to_ocean, expected);
        there.find_situations(Reads::to_ocean, found);
        EXPECT_EQ(spectra(), older);
        for (std::size_t cell = 0; cell < found.size(); ++cell) {
            const OceanExchange &a = found[cell].to_ocean, &b = expected[cell].to_ocean;
            EXPECT_GT(a.eastward_stress, 0.0);
            EXPECT_EQ(a.eastward_stress, b.eastward_stress);
            EXPECT_EQ(a.northward_stress, b.northward_stress);
            EXPECT_EQ(a.breaking_energy, b.breaking_energy);
        }
        there.bring_back();
        EXPECT_EQ(spectra() == older, step == 0);
        if (step == schedule.total_steps) break;
        here.advance();
        there.advance();
    }
}

}  // namespace
}  // namespace groundswell::sea
