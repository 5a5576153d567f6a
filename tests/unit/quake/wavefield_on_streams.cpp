// Clusters on streams of their own: the host's bits, also by graphs of launches; the host waits where all meet alone; and whichever order
// between two neighbours is forgotten, the played device names it.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "groundswell/exec/device/graphs/graphing_device.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "support/quake/on_device.hpp"
#include "support/quake/wavefield_of_box.hpp"

namespace groundswell::quake {
namespace {

using namespace test;

// A played device that forgets some of what streams are to wait for, and remembers what it was asked.
class Forgetful final : public exec::Device {
public:
    explicit Forgetful(unsigned seed) : device_(played, seed) {}

    std::function<bool(int from, int to, int number)> forgets = [](int, int, int) { return false; };
    int waits = 0;
    std::map<std::string, std::set<int>> streams_of;  ///< [kernel]
    exec::DeviceCounts counts() const { return device_.counts(); }

    const exec::DeviceLimits& limits() const override { return device_.limits(); }
    exec::Stream make_stream() override { return device_.make_stream(); }
    exec::Event record(exec::Stream stream) override {
        const exec::Event event = device_.record(stream);
        recorded_[event] = static_cast<int>(stream);
        return event;
    }
    void wait(exec::Stream stream, exec::Event event) override {
        if (!forgets(recorded_.at(event), static_cast<int>(stream), waits++)) device_.wait(stream, event);
    }
    void synchronise(exec::Stream stream) override { device_.synchronise(stream); }
    void* allocate(const std::string& name, std::size_t bytes, const exec::Filling& filling) override {
        return device_.allocate(name, bytes, filling);
    }
    void release(void* memory) override { device_.release(memory); }
    Reached reach(void* memory) const override { return device_.reach(memory); }
    void copy_in(exec::Stream stream, void* to, const void* from, std::size_t bytes) override {
        device_.copy_in(stream, to, from, bytes);
    }
    void copy_out(exec::Stream stream, void* to, const void* from, std::size_t bytes) override {
        device_.copy_out(stream, to, from, bytes);
    }
    void copy_within(exec::Stream stream, void* to, const void* from, std::size_t bytes) override {
        device_.copy_within(stream, to, from, bytes);
    }
    void launch(exec::Stream stream, const exec::Launch& launch, const exec::Program& program,
                const exec::Arguments& arguments) override {
        streams_of[launch.name].insert(static_cast<int>(stream));
        device_.launch(stream, launch, program, arguments);
    }

private:
    exec::PlayedDevice device_;
    std::map<exec::Event, int> recorded_;
};

// Three clusters, one behind the other, whose number is that of their stream.
class StreamsOfClusters : public testing::Test {
protected:
    StreamsOfClusters() {
        wanted_.box.length = {2000.0, 900.0, 1000.0};
        wanted_.box.cubes = {6, 2, 2};
        wanted_.material = [](const tetra::Point&) { return Material{2700.0, 3.24e10, 3.24e10}; };
        wanted_.cluster = [](const tetra::Point& place) { return static_cast<int>(place[0] / 700.0); };
        made_ = make_field<double>(MPI_COMM_SELF, wanted_);
        EXPECT_EQ(made_.clusters.cells.size(), 3U);
    }
    std::unique_ptr<Wavefield<double>> field_on(exec::Device& device) const {
        auto field = std::make_unique<Wavefield<double>>(
            MPI_COMM_SELF, wave_device_kernels<double>(wanted_.order).elements, made_.mesh, made_.material,
            made_.clusters.step, wanted_.rate);
        for (std::int32_t cell = 0; cell < field->cells(); ++cell)
            for (int q = 0; q < 9; ++q)
                field->coefficient(cell, 0, q) = std::sin(3.0 * cell + q) * (q < 6 ? 1e6 : 0.1);
        field->move_to(device);
        return field;
    }
    std::vector<double> after_two_meetings(exec::Device& device) const {
        const auto field = field_on(device);
        for (int i = 0; i < 2; ++i) field->advance();
        field->fetch_state();
        std::vector<double> states;
        for (std::int32_t cell = 0; cell < field->cells(); ++cell)
            for (int k = 0; k < basis_size(wanted_.order); ++k)
                for (int q = 0; q < 9; ++q) states.push_back(field->coefficient(cell, k, q));
        return states;
    }
    std::string defect_on(exec::Device& device) const {
        try {
            after_two_meetings(device);
        } catch (const base::Defect& defect) {
            return defect.what();
        }
        return "";
    }

    FieldOfBox wanted_;
    MadeField<double> made_;
};

TEST_F(StreamsOfClusters, HaveTheBitsOfTheHostAlsoByGraphs) {
    const auto host = exec::make_host_device();
    const std::vector<double> expected = after_two_meetings(*host);
    for (unsigned seed = 0; seed < 20; ++seed) {
        exec::PlayedDevice device(played, seed);
        EXPECT_EQ(after_two_meetings(device), expected) << seed;
        exec::GraphingDevice graphs(std::make_unique<exec::PlayedDevice>(played, seed));
        EXPECT_EQ(after_two_meetings(graphs), expected) << seed;
        EXPECT_GT(graphs.counts().launched, 0);
    }
}

TEST_F(StreamsOfClusters, LetTheHostGoOnUntilAllMeet) {
    Forgetful device(1);
    const auto field = field_on(device);
    const long before = device.counts().synchronisations;
    while (field->time() < 0.99 * field->meeting_seconds() - field->step()) field->tick();
    EXPECT_EQ(device.counts().synchronisations, before);
    field->tick();
    EXPECT_EQ(device.counts().synchronisations, before + 3);
    EXPECT_EQ(device.streams_of.at("correct"), (std::set<int>{0, 1, 2}));
    EXPECT_EQ(device.streams_of.at("predict pieces"), (std::set<int>{1, 2}));
}

TEST_F(StreamsOfClusters, NeedEachOrderBetweenNeighbours) {
    for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 0), std::pair(1, 2), std::pair(2, 1)}) {
        Forgetful device(1);
        device.forgets = [from, to](int recorded, int waiting, int) {
            return recorded == from && waiting == to;
        };
        EXPECT_NE(defect_on(device).find("use the array 'sides' with no event between them"),
                  std::string::npos)
            << from << " to " << to << ": " << defect_on(device);
    }
}

// Each single one may follow from others, but not what they are for: a cluster reads what its neighbour has written, and the neighbour
// writes it anew when that has been read.
TEST_F(StreamsOfClusters, NeedSingleEventsOfBothKinds) {
    Forgetful sound(1);
    ASSERT_EQ(defect_on(sound), "");
    int read_too_soon = 0, written_too_soon = 0;
    for (int number = 0; number < sound.waits; ++number) {
        Forgetful device(1);
        device.forgets = [number](int, int, int which) { return which == number; };
        const std::string defect = defect_on(device);
        const auto predicted = defect.find("'predict"), corrected = defect.find("'correct'");
        const auto added = defect.find("'add up sides'");
        if (corrected == std::string::npos) {
            EXPECT_EQ(defect, "") << number;
            continue;
        }
        (std::min(predicted, added) < corrected ? read_too_soon : written_too_soon) += 1;
    }
    EXPECT_GT(read_too_soon, 0);
    EXPECT_GT(written_too_soon, 0);
}

}  // namespace
}  // namespace groundswell::quake
