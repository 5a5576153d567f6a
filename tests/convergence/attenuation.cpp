// P and S waves that cross a periodic cube slantwise in rock that attenuates them: against the exact wave, whose frequency is
// complex, the error falls with the size of the elements to the power of the order.
#include "groundswell/quake/attenuation/attenuation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "groundswell/quake/initial/initial.hpp"
#include "support/quake/exact_field.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;
using namespace groundswell::quake::test;

constexpr double pi = std::numbers::pi;

WaveSection wave_of(char kind) {
    WaveSection wave;
    wave.kind = kind;
    const double third = 1.0 / std::sqrt(3.0), half = 1.0 / std::sqrt(2.0);
    wave.direction = {third, third, third};
    wave.polarisation = kind == 'P' ? wave.direction : std::array<double, 3>{half, -half, 0.0};
    wave.wave_number = pi * std::sqrt(3.0);
    wave.velocity = 1.0;
    return wave;
}

// Relative, in the L2 norm after 0.5 s. `rate` above 1: in clusters by force.
double error_of(char kind, int order, int cubes, int rate = 1) {
    const auto attenuation = std::make_shared<const Attenuation>(AttenuationOptions{3, 0.3, 10.0, 1.7});
    const Material material = attenuation->unrelaxed({1.0, 2.0, 1.0, 1.0 / 20.0, 1.0 / 10.0});
    FieldOfBox wanted;
    wanted.box.cubes = {cubes, cubes, cubes};
    wanted.box.origin = {-1.0, -1.0, -1.0};
    wanted.box.length = {2.0, 2.0, 2.0};
    wanted.box.periodic = {true, true, true};
    wanted.box.jitter = 0.1;
    wanted.material = [&](const tetra::Point&) { return material; };
    wanted.attenuation = attenuation;
    wanted.order = order;
    wanted.rate = rate;
    wanted.seconds = 0.5;
    if (rate > 1)
        wanted.cluster = [](const tetra::Point& at) {
            return static_cast<int>(std::floor(2.0 * (2.0 + at[0] + 0.3 * at[1] - 0.2 * at[2]))) % 3;
        };
    auto made = make_field<double>(MPI_COMM_SELF, wanted);
    const WaveSection section = wave_of(kind);
    const RelaxingWave wave(section, material, *attenuation);
    const ExactField exact(order);
    exact.set(made, [&](const tetra::Point& x) { return wave.unknowns(x, 0.0); });
    exact.set_memory(made, [&](const tetra::Point& x) { return wave.memory(x, 0.0); });
    while (made.field->time() < 0.5 * (1.0 - 1e-9)) made.field->advance();
    const double t = made.field->time();
    const State squares =
        exact.squared_error(made, [&](const tetra::Point& x) { return wave.unknowns(x, t); });
    double sum = 0.0;
    for (int q = 6; q < 9; ++q) sum += squares[q];
    return std::sqrt(sum / 4.0) * std::exp(wave.frequency().imag() * t);
}

void expect_order(char kind, int order) {
    const double coarse = error_of(kind, order, 4), fine = error_of(kind, order, 8);
    const double found = std::log2(coarse / fine);
    testing::Test::RecordProperty(kind + std::to_string(order), std::to_string(found));
    EXPECT_GT(found, order - 0.3) << kind << order << ": " << coarse << ", " << fine;
}

TEST(Attenuation, OfPlaneWavesConvergesAsTheOrderSays) {
    expect_order('P', 2);
    expect_order('S', 3);
}

TEST(AttenuationLong, OfPlaneWavesConvergesAsHigherOrdersSay) {
    expect_order('P', 4);
    expect_order('S', 5);
}

TEST(Attenuation, IsAsGoodInClusters) {
    const double alone = error_of('S', 4, 6);
    for (const int rate : {2, 3}) EXPECT_LT(error_of('S', 4, 6, rate), 1.5 * alone) << rate;
}

}  // namespace
