#include "groundswell/quake/source/rupture/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/quake/source/rupture/number_lines.hpp"

namespace groundswell::quake {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// To the next line, which has so many numbers.
std::vector<double> numbers_after(NumberLines& lines, std::size_t count, const std::string& expected) {
    if (!lines.next()) lines.refuse_end(expected);
    return lines.numbers(count, expected);
}

void pass_header(NumberLines& lines, const std::string& expected) {
    if (!lines.next()) lines.refuse_end("a header line: " + expected);
}

// Columns: the direction of slip, the one across it in the plane, and the normal, in x, y and z of the mesh. With all angles 0 they are these axes.
Matrix axes_of(double strike, double dip, double rake) {
    const double cs = std::cos(strike), ss = std::sin(strike), cd = std::cos(dip), sd = std::sin(dip),
                 cr = std::cos(rake), sr = std::sin(rake);
    return {{{cr * cs + cd * sr * ss, cd * cr * ss - cs * sr, sd * ss},
             {cd * cs * sr - cr * ss, sr * ss + cd * cr * cs, sd * cs},
             {-sd * sr, -sd * cr, cd}}};
}

struct Head {
    Matrix tensor{};
    std::array<double, 3> force{};
    std::int64_t points = 0;
};

// Up to the header above the points.
Head read_head(NumberLines& lines) {
    Head head;
    pass_header(lines, "of the moment tensor");
    for (int i = 0; i < 3; ++i) {
        const auto row =
            numbers_after(lines, 3, fmt::format("row {} of the moment tensor, 3 numbers", i + 1));
        std::ranges::copy(row, head.tensor[i].begin());
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) {
            if (head.tensor[i][j] != head.tensor[j][i]) lines.refuse("the last row of a symmetric tensor");
        }
    }
    pass_header(lines, "of the number of points");
    const auto is_about = [&](const char* word) { return lines.text().find(word) != std::string::npos; };
    if (is_about("velocity")) {
        const auto force = numbers_after(lines, 3, "the direction of the force, 3 numbers");
        std::ranges::copy(force, head.force.begin());
        pass_header(lines, "of the number of points");
    }
    if (is_about("pressure") || is_about("fluid") || is_about("dirNum"))
        lines.refuse("a header of the number of points: sources of this kind are not known here");
    constexpr const char* counted = "the number of points";
    head.points = lines.count(numbers_after(lines, 1, counted)[0], counted);
    if (head.points < 1) lines.refuse("one point or more");
    pass_header(lines, "x y z strike dip rake area onset");
    return head;
}

Pulse pulse_of(const Head& head, const std::vector<double>& point, double delay) {
    using base::degree;
    const Matrix axes = axes_of(degree * point[3], degree * point[4], degree * point[5]);
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    Pulse pulse;
    for (int q = 0; q < 6; ++q) {
        const auto& a = axes[pair[q][0]];
        const auto& b = axes[pair[q][1]];
        for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) pulse.moment[q] -= point[6] * a[k] * head.tensor[k][l] * b[l];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pulse.force[i] += point[6] * axes[i][j] * head.force[j];
    }
    pulse.onset = point[7] + delay;
    return pulse;
}

}  // namespace

Rupture read_fsrm(const std::string& path, double delay) {
    NumberLines lines(path);
    const Head head = read_head(lines);
    Rupture rupture;
    for (std::int64_t i = 1; i <= head.points; ++i) {
        const auto point = numbers_after(
            lines, 8,
            fmt::format("point {} of {}: x y z strike dip rake area onset, 8 numbers", i, head.points));
        SubSource& part = rupture.parts.emplace_back();
        part.line = lines.number();
        part.place = {point[0], point[1], point[2]};
        part.pulses.push_back(pulse_of(head, point, delay));
        if (part.pulses.front().onset < 0.0)
            base::refuse(lines.place(), "onset", fmt::format("{} s", point[7]),
                         "a time from the start of the run on; the key delay shifts them all");
    }
    pass_header(lines, "of the interval and number of samples");
    const auto steps = numbers_after(lines, 2, "the interval in s and the number of samples, 2 numbers");
    const std::int64_t samples = lines.count(steps[1], "the number of samples");
    if (!(steps[0] > 0.0)) lines.refuse("an interval above 0");
    if (samples < 2) lines.refuse("two samples or more");
    pass_header(lines, "of the samples");
    // They follow each other, as many to a line as one likes.
    std::vector<double> read;
    const std::string expected = fmt::format("{} samples of each of {} points", samples, head.points);
    const auto all = static_cast<std::size_t>(samples) * static_cast<std::size_t>(head.points);
    while (read.size() < all) {
        if (!lines.next()) {
            const auto whole = static_cast<std::int64_t>(read.size()) / samples;
            lines.refuse_end(fmt::format("{}; of point {} there are {}", expected, whole + 1,
                                         static_cast<std::int64_t>(read.size()) - whole * samples));
        }
        lines.append_to(read, expected);
    }
    if (read.size() > all || lines.next_with_content()) lines.refuse("no more than " + expected);
    auto from = read.begin();
    for (SubSource& part : rupture.parts) {
        part.pulses.front().interval = steps[0];
        part.pulses.front().rate.assign(from, from + samples);
        from += samples;
    }
    return rupture;
}

}  // namespace groundswell::quake
