// Ruptures: files and planes as sub-sources, before they meet a mesh.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/source/point/point_source.hpp"
#include "groundswell/quake/source/rupture/plane.hpp"
#include "groundswell/quake/source/rupture/read.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;

constexpr double degree = std::numbers::pi / 180.0;
const Material granite{2700.0, 2.0e10, 3.0e10};

class QuakeRuptures : public testing::Test {
protected:
    std::string write(const std::string& name, const std::string& text) {
        const auto path = std::filesystem::path(testing::TempDir()) / ("groundswell-" + name);
        std::ofstream(path) << text;
        return path.string();
    }
};

PlaneOptions rectangle() {
    PlaneOptions plane;
    plane.place = {100.0, 200.0, -5000.0};
    plane.strike = 30.0 * degree;
    plane.dip = 50.0 * degree;
    plane.rake = 70.0 * degree;
    plane.length = 4000.0;
    plane.width = 2000.0;
    plane.spacing = 300.0;
    plane.hypocentre = {-1500.0, 500.0};
    plane.rupture_speed = 2000.0;
    plane.rise_time = 0.5;
    plane.scalar_moment = 1e18;
    return plane;
}

double moment_of(const Rupture& rupture, tetra::Point* centroid = nullptr) {
    double whole = 0.0;
    if (centroid != nullptr) *centroid = {};
    for (const SubSource& part : rupture.parts) {
        for (const PointSource& source : part.in(granite)) {
            const double one = scalar_moment(source.moment) * source.rate->whole();
            whole += one;
            if (centroid == nullptr) continue;
            for (int j = 0; j < 3; ++j) (*centroid)[j] += one * part.place[j];
        }
    }
    if (centroid != nullptr) {
        for (double& one : *centroid) one /= whole;
    }
    return whole;
}

TEST_F(QuakeRuptures, APlaneHasItsMomentAndItsMiddle) {
    for (const auto rise :
         {PlaneOptions::Rise::boxcar, PlaneOptions::Rise::triangle, PlaneOptions::Rise::brune}) {
        PlaneOptions plane = rectangle();
        plane.rise = rise;
        tetra::Point centroid;
        EXPECT_NEAR(moment_of(rupture_of(plane), &centroid) / 1e18, 1.0, 1e-12);
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(centroid[j], plane.place[j], 1e-8);
        plane.slip = 1.5;
        EXPECT_NEAR(moment_of(rupture_of(plane)), granite.mu * 1.5 * 4000.0 * 2000.0, 1e6);
    }
}

TEST_F(QuakeRuptures, ACircleSlipsByTwoThirdsOfItsMiddle) {
    PlaneOptions plane = rectangle();
    plane.kind = PlaneOptions::Kind::circular;
    plane.length = plane.width = 3000.0;
    plane.slip = 1.5;
    tetra::Point centroid;
    const double whole = moment_of(rupture_of(plane), &centroid);
    EXPECT_NEAR(whole / (granite.mu * 1.5 * 2.0 / 3.0 * std::numbers::pi * 1500.0 * 1500.0), 1.0, 1e-3);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(centroid[j], plane.place[j], 1e-8);
    for (const SubSource& part : rupture_of(plane).parts)
        EXPECT_LT(std::hypot(part.place[0] - 100.0, part.place[1] - 200.0, part.place[2] + 5000.0), 1500.0);
}

TEST_F(QuakeRuptures, TheTopEdgeLiesAboveAndThePlaneDipsToTheRight) {
    PlaneOptions plane = rectangle();
    plane.strike = 0.0;  // north; the plane dips east
    plane.is_top = true;
    for (const SubSource& part : rupture_of(plane).parts) {
        const double down = (-5000.0 - part.place[2]) / std::sin(plane.dip);
        EXPECT_GT(down, 0.0);
        EXPECT_LT(down, 2000.0);
        EXPECT_NEAR(part.place[0] - 100.0, down * std::cos(plane.dip), 1e-9);
    }
}

TEST_F(QuakeRuptures, SlipBeginsWhenTheFrontArrives) {
    const PlaneOptions plane = rectangle();
    // The hypocentre in space: 1500 m against the strike, 500 m down the dip.
    const double s[3] = {std::sin(plane.strike), std::cos(plane.strike), 0.0};
    const double d[3] = {std::cos(plane.strike) * std::cos(plane.dip),
                         -std::sin(plane.strike) * std::cos(plane.dip), -std::sin(plane.dip)};
    tetra::Point from;
    for (int j = 0; j < 3; ++j) from[j] = plane.place[j] - 1500.0 * s[j] + 500.0 * d[j];
    double last = 0.0;
    for (const SubSource& part : rupture_of(plane).parts) {
        const double far =
            std::hypot(part.place[0] - from[0], part.place[1] - from[1], part.place[2] - from[2]);
        EXPECT_NEAR(part.pulses.front().onset, far / 2000.0, 1e-12);
        last = std::max(last, far);
    }
    EXPECT_GT(last, 3500.0);
}

TEST_F(QuakeRuptures, SlipRatesOfAFileAreItsSlipInBothVersions) {
    const tetra::Projection projection(10.0, 45.0);
    // One rate alone, and rates that begin and end above 0, stand for the interval around them.
    const std::string place = "10.0 45.0 8.0 30 60 2.0e10 1.0 0.1", stated = " 3.5e5 2.7", unknown = " -1 -1";
    // Some write version 1 with the rock of version 2.
    for (const auto& [version, more] :
         {std::pair{"1.0", std::string()}, {"1.0", stated}, {"2.0", stated}, {"2.0", unknown}}) {
        for (const auto& [count, rates] :
             {std::pair{1, "500"}, {3, "0 500\n 0"}, {4, "100 200\n150 50"}, {2, "0 500"}}) {
            const std::string path =
                write("slip.srf", std::string(version) + "\nPOINTS 1\n" + place + more + "\n90 50 " +
                                      std::to_string(count) + " 0 0 0 0\n" + rates + "\n");
            const Rupture rupture = read_srf(path, projection, 0.0);
            const double mu = more == stated ? 2700.0 * 3500.0 * 3500.0 : granite.mu;
            EXPECT_NEAR(moment_of(rupture) / (mu * 2.0e6 * 0.5), 1.0, 1e-12) << version << more << rates;
            EXPECT_EQ(rupture.warning, "");
            EXPECT_EQ(rupture.parts.front().place[2], -8000.0);
        }
    }
}

TEST_F(QuakeRuptures, SlipInThreeDirections) {
    const tetra::Projection projection(0.0, 0.0);
    const auto tensor = [&](const char* slips) {
        const Rupture rupture =
            read_srf(write("three.srf",
                           std::string("1.0\nPOINTS 1\n0 0 8 30 60 1e10 1 0.1\n20 ") + slips + "\n0 1 0\n"),
                     projection, 0.0);
        const auto sources = rupture.parts.front().in(granite);
        std::array<double, 6> moment = sources.front().moment;
        for (double& one : moment) one *= sources.front().rate->whole();
        return moment;
    };
    const double slip = 0.001 * 1e6;  // times the area, m³
    const auto along = double_couple(granite.mu * slip, 30 * degree, 60 * degree, 20 * degree);
    const auto across = double_couple(granite.mu * slip, 30 * degree, 60 * degree, 110 * degree);
    const auto first = tensor("0.1 3 0 0 0 0"), second = tensor("0 0 0.1 3 0 0"),
               third = tensor("0 0 0 0 0.1 3");
    for (int q = 0; q < 6; ++q) {
        EXPECT_NEAR(first[q], along[q], 1e-9 * granite.mu * slip);
        EXPECT_NEAR(second[q], across[q], 1e-9 * granite.mu * slip);
    }
    // Opening: λ across, λ + 2μ along the normal.
    EXPECT_NEAR(third[0] + third[1] + third[2], (3.0 * granite.lambda + 2.0 * granite.mu) * slip, 1.0);
    EXPECT_NEAR(third[2], (granite.lambda + 2.0 * granite.mu * 0.25) * slip, 1e-9 * granite.mu * slip);
}

TEST_F(QuakeRuptures, StrikesTurnWithTheMeridian) {
    // East of the projection's meridian, north of the equator, true north lies to the left of y: by (λ − λ₀) sin φ.
    const tetra::Projection projection(10.0, 45.0);
    const auto moment = [&](const char* longitude, double strike) {
        const Rupture rupture = read_srf(
            write("north.srf", "1.0\nPOINTS 1\n" + std::string(longitude) + " 45 8 " +
                                   std::to_string(strike) + " 90 1e10 1 0.1\n0 0.1 3 0 0 0 0\n0 1 0\n"),
            projection, 0.0);
        return rupture.parts.front().pulses.front().per_mu;
    };
    const auto turned = moment("12", 20.0), plain = moment("10", 20.0 - 2.0 * std::sin(45.0 * degree));
    for (int q = 0; q < 6; ++q) EXPECT_NEAR(turned[q], plain[q], 1e-4 * 1e6) << q;
}

TEST_F(QuakeRuptures, FsrmIsTakenAsItIsAdded) {
    const std::string text =
        "tensor\n0 0 2e18\n0 0 0\n2e18 0 0\nnumber\n1\nx y z strike dip rake area onset\n"
        "1 2 -3 30 60 20 0.5 0.25\ntime function\n0.1 3\nsamples\n0\n10\n0\n";
    const Rupture rupture = read_fsrm(write("point.dat", text), 0.5);
    const auto source = rupture.parts.front().in(granite).front();
    EXPECT_EQ(source.place, (tetra::Point{1.0, 2.0, -3.0}));
    EXPECT_NEAR(source.rate->whole(), 1.0, 1e-15);
    EXPECT_NEAR(source.rate->first_moment(), 0.85, 1e-15);
    // In SeisSol's axes, x north, y west and z down, M13 is the double couple of Aki & Richards.
    const auto ours = double_couple(1e18, 30 * degree, 60 * degree, 20 * degree);  // east, north, up
    const double expected[6] = {ours[1], ours[0], ours[2], -ours[3], ours[5], -ours[4]};
    for (int q = 0; q < 6; ++q) EXPECT_NEAR(source.moment[q], expected[q], 1e6) << q;
}

TEST_F(QuakeRuptures, FsrmWithoutAnglesIsInTheAxesOfTheMesh) {
    const Rupture rupture = read_fsrm(
        write("plain.dat",
              "tensor\n1 4 6\n4 2 5\n6 5 3\nvelocity\n7 8 9\nnumber\n2\npoints\n0 0 0 0 0 0 1 0\n0 0 9 0 0 0 "
              "2 0\nf\n0.1 2\nsamples\n1 2\n3\n4\n"),
        0.0);
    ASSERT_EQ(rupture.parts.size(), 2u);
    EXPECT_EQ(rupture.parts[1].pulses[0].rate, (std::vector{3.0, 4.0}));
    const auto source = rupture.parts[1].in(granite).front();
    EXPECT_EQ(source.moment, (std::array{-2.0, -4.0, -6.0, -8.0, -10.0, -12.0}));
    EXPECT_EQ(source.force, (std::array{14.0, 16.0, 18.0}));
}

TEST_F(QuakeRuptures, MagnitudeOfHanksAndKanamori) {
    EXPECT_NEAR(moment_magnitude(1.122018454e18), 6.0, 1e-9);
    EXPECT_NEAR(scalar_moment(double_couple(3e17, 1.0, 0.5, 2.0)) / 3e17, 1.0, 1e-14);
}

}  // namespace
