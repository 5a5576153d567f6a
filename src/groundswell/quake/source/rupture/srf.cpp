#include "groundswell/quake/source/rupture/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/quake/source/rupture/number_lines.hpp"

namespace groundswell::quake {

namespace {

using base::degree;
constexpr double kilometre = 1000.0, centimetre = 0.01, square_centimetre = 1e-4;
// Slips that differ by more than this part of the largest one from what their rates add up to are told.
constexpr double slip_tolerance = 0.01;

// How far clockwise from y the meridian runs at a place, radians.
double north_at(const tetra::Projection& projection, double longitude, double latitude) {
    constexpr double step = 1e-4;  // degrees
    const auto south = projection.metres({longitude, latitude - step}),
               north = projection.metres({longitude, latitude + step});
    return std::atan2(north.east - south.east, north.north - south.north);
}

// What a point slips by, and what its rates add up to.
struct Slip {
    std::int64_t line = 0;
    double stated = 0.0, summed = 0.0, area = 0.0;
};

class Reader {
public:
    Reader(const std::string& path, const tetra::Projection& projection, double delay)
        : lines_(path), path_(path), projection_(projection), delay_(delay) {}

    Rupture read() {
        read_version();
        std::optional<std::int64_t> planned;
        std::int64_t planned_line = 0;
        if (!lines_.next_with_content()) lines_.refuse_end("PLANE or POINTS");
        if (lines_.first_word() == "PLANE") {
            planned_line = lines_.number();
            planned = read_planes();
            if (!lines_.next_with_content()) lines_.refuse_end("POINTS and their number");
        }
        std::int64_t points = 0;
        do {
            points += read_points();
        } while (lines_.next_with_content());
        if (planned && *planned != points)
            base::refuse(fmt::format("{}:{}", path_, planned_line), "",
                         fmt::format("segments of {} points altogether", *planned),
                         fmt::format("as many as there are, {}", points));
        if (rupture_.parts.empty())
            base::refuse(path_, "", "no slip rate other than 0", "a rupture that slips");
        refuse_early();
        compare_slips();
        return std::move(rupture_);
    }

private:
    void read_version() {
        constexpr const char* known = "1.0 or 2.0, the version of the Standard Rupture Format";
        if (!lines_.next_with_content()) lines_.refuse_end(known);
        const auto version = base::parse_number<double>(lines_.first_word());
        if (!version || *version < 1.0 || *version >= 3.0) lines_.refuse(known);
        has_rock_ = *version >= 2.0;
    }

    // The number behind PLANE or POINTS.
    std::int64_t read_number(std::string_view word, std::string_view what) {
        const std::string expected = fmt::format("{} and the number of {}", word, what);
        if (lines_.first_word() != word) lines_.refuse(expected);
        const std::string& text = lines_.text();
        const char* at = text.data() + text.find(word) + word.size();
        const char* const end = text.data() + text.find_last_not_of(" \t\r") + 1;
        at = std::find_if(at, end, [](char c) { return c != ' ' && c != '\t'; });
        std::int64_t number = 0;
        const auto [rest, error] = std::from_chars(at, end, number);
        if (error != std::errc{} || rest != end || number < 1) lines_.refuse(expected);
        return number;
    }

    // How many points the segments have.
    std::int64_t read_planes() {
        const std::int64_t planes = read_number("PLANE", "segments");
        std::int64_t points = 0;
        for (std::int64_t plane = 1; plane <= planes; ++plane) {
            const std::string first = fmt::format(
                "line 1 of segment {} of {}: ELON ELAT NSTK NDIP LEN WID, 6 numbers", plane, planes);
            if (!lines_.next_with_content()) lines_.refuse_end(first);
            const auto numbers = lines_.numbers(6, first);
            points += lines_.count(numbers[2], "the number of points along strike, NSTK") *
                      lines_.count(numbers[3], "the number of points along dip, NDIP");
            const std::string second =
                fmt::format("line 2 of segment {} of {}: STK DIP DTOP SHYP DHYP, 5 numbers", plane, planes);
            if (!lines_.next_with_content()) lines_.refuse_end(second);
            lines_.numbers(5, second);
        }
        return points;
    }

    std::int64_t read_points() {
        const std::int64_t points = read_number("POINTS",
                                                "points (more points than the last POINTS says, if "
                                                "these are numbers)");
        for (std::int64_t point = 1; point <= points; ++point) read_point(point, points);
        return points;
    }

    void read_point(std::int64_t point, std::int64_t points) {
        const std::string first =
            fmt::format("line 1 of point {} of {}: LON LAT DEP STK DIP AREA TINIT DT{}", point, points,
                        has_rock_ ? " VS DEN, 10 numbers" : ", 8 numbers (or 10, with VS DEN)");
        if (!lines_.next_with_content()) lines_.refuse_end(first);
        std::vector<double> where;
        lines_.append_to(where, first);
        // Some write version 1 with what only version 2 has.
        if (where.size() == 8 && !has_rock_) where.insert(where.end(), {-1.0, -1.0});
        if (where.size() != 10) lines_.refuse(first);
        check(where);
        SubSource part;
        part.line = lines_.number();
        const auto metres = projection_.metres({where[0], where[1]});
        part.place = {metres.east, metres.north, -kilometre * where[2]};
        const double interval = where[7], area = part.area = square_centimetre * where[5];

        const std::string second = fmt::format(
            "line 2 of point {} of {}: RAKE SLIP1 NT1 SLIP2 NT2 SLIP3 NT3, 7 numbers", point, points);
        if (!lines_.next_with_content()) lines_.refuse_end(second);
        const auto slips = lines_.numbers(7, second);
        std::int64_t count[3];
        for (int i = 0; i < 3; ++i) count[i] = lines_.count(slips[2 + 2 * i], "a number of slip rates");
        const std::int64_t all = count[0] + count[1] + count[2];
        if (interval < 0.0 || (all > 0 && interval == 0.0))
            base::refuse(fmt::format("{}:{}", path_, part.line), "DT", fmt::format("{} s", interval),
                         "an interval between slip rates above 0");
        read_rates(all, point, points);

        const double north = north_at(projection_, where[0], where[1]);
        const double strike = degree * where[3] + north, dip = degree * where[4];
        std::size_t from = 0;
        Slip slip{part.line, 0.0, 0.0, area};
        for (int i = 0; i < 3; ++i) {
            const double sum = add_pulse(part, i, from, static_cast<std::size_t>(count[i]), where,
                                         {strike, dip, degree * slips[0]});
            from += static_cast<std::size_t>(count[i]);
            slip.summed = std::hypot(slip.summed, sum);
            slip.stated = std::hypot(slip.stated, centimetre * slips[1 + 2 * i]);
        }
        slips_.push_back(slip);
        if (part.pulses.empty())
            ++rupture_.silent;
        else
            rupture_.parts.push_back(std::move(part));
    }

    void check(const std::vector<double>& where) const {
        const auto in = [&](int i, double low, double high, const char* expected) {
            if (!(where[i] >= low && where[i] <= high)) lines_.refuse(expected);
        };
        in(0, -360.0, 360.0, "a longitude (the 1st number) from -360 to 360 degrees");
        in(1, -90.0, 90.0, "a latitude (the 2nd number) from -90 to 90 degrees");
        in(2, -10.0, 6400.0, "a depth (the 3rd number) in km");
        in(3, -360.0, 360.0, "a strike (the 4th number) from -360 to 360 degrees");
        in(4, 0.0, 90.0, "a dip (the 5th number) from 0 to 90 degrees");
        in(5, 0.0, 1e20, "an area (the 6th number) of 0 cm² or more");
    }

    void read_rates(std::int64_t all, std::int64_t point, std::int64_t points) {
        rates_.clear();
        while (static_cast<std::int64_t>(rates_.size()) < all) {
            const std::string expected =
                fmt::format("slip rates of point {} of {} in cm/s, {} numbers", point, points, all);
            if (!lines_.next_with_content())
                lines_.refuse_end(fmt::format("{}, of which {} are there", expected, rates_.size()));
            lines_.append_to(rates_, expected);
            if (static_cast<std::int64_t>(rates_.size()) > all)
                lines_.refuse(fmt::format("{}, and the next point on a line of its own: here are {} more",
                                          expected, static_cast<std::int64_t>(rates_.size()) - all));
        }
    }

    struct Angles {
        double strike, dip, rake;
    };

    // Adds what slips in one of the three directions; returns by how much, m.
    double add_pulse(SubSource& part, int direction, std::size_t from, std::size_t count,
                     const std::vector<double>& where, const Angles& angles) {
        const auto first = rates_.begin() + static_cast<std::ptrdiff_t>(from),
                   last = first + static_cast<std::ptrdiff_t>(count);
        if (std::all_of(first, last, [](double rate) { return rate == 0.0; })) return 0.0;
        Pulse pulse;
        pulse.interval = where[7];
        pulse.onset = where[6] + delay_;
        if (*first != 0.0) {
            pulse.rate.push_back(0.0);
            pulse.onset -= pulse.interval;
        }
        for (auto rate = first; rate != last; ++rate) pulse.rate.push_back(centimetre * *rate);
        if (pulse.rate.back() != 0.0) pulse.rate.push_back(0.0);
        if (pulse.onset < earliest_.time) earliest_ = {pulse.onset, where[6], part.line};
        const double area = square_centimetre * where[5];
        set_moment(pulse, direction, area, angles);
        if (where[8] > 0.0 && where[9] > 0.0) {
            const double vs = centimetre * where[8], mu = 1000.0 * where[9] * vs * vs;
            for (int i = 0; i < 6; ++i) pulse.moment[i] = mu * pulse.per_mu[i];
            pulse.per_mu = {};
        }
        part.pulses.push_back(std::move(pulse));
        return part.pulses.back().time_function()->whole();
    }

    static void set_moment(Pulse& pulse, int direction, double area, const Angles& angles) {
        if (direction < 2) {
            const double rake = angles.rake + direction * 0.5 * std::numbers::pi;
            pulse.per_mu = double_couple(area, angles.strike, angles.dip, rake);
            return;
        }
        pulse.open(area, angles.strike, angles.dip);
    }

    // What would have slipped before the run would be lost.
    void refuse_early() const {
        if (earliest_.time >= 0.0) return;
        base::refuse(
            fmt::format("{}:{}", path_, earliest_.line), "TINIT", fmt::format("{} s", earliest_.stated),
            fmt::format("slip that begins with the run or later, not {:.6g} s before it: rates go from "
                        "0 to a first sample above 0 within DT; delay = {:.9g} in the entry of this "
                        "file shifts all of them",
                        -earliest_.time, std::ceil(1e6 * (delay_ - earliest_.time)) / 1e6));
    }

    void compare_slips() {
        double largest = 0.0, stated = 0.0, summed = 0.0;
        for (const Slip& slip : slips_) {
            largest = std::max(largest, slip.stated);
            stated += slip.area * slip.stated;
            summed += slip.area * slip.summed;
        }
        std::int64_t differing = 0;
        const Slip* worst = nullptr;
        for (const Slip& slip : slips_) {
            const double difference = std::abs(slip.summed - slip.stated);
            if (difference <= slip_tolerance * largest) continue;
            ++differing;
            if (worst == nullptr || difference > std::abs(worst->summed - worst->stated)) worst = &slip;
        }
        if (differing == 0) return;
        rupture_.warning = fmt::format(
            "{}: the slip rates of {} of {} points do not add up to their slip: most of all in line {}, to "
            "{:.4g} cm for {:.4g} cm; what acts is the rates, and they move {:.4g} % of the volume (area "
            "times slip) that the slips would",
            path_, differing, slips_.size(), worst->line, worst->summed / centimetre,
            worst->stated / centimetre, stated > 0.0 ? 100.0 * summed / stated : 0.0);
    }

    NumberLines lines_;
    std::string path_;
    const tetra::Projection& projection_;
    double delay_;
    bool has_rock_ = false;
    std::vector<double> rates_;
    std::vector<Slip> slips_;
    struct Begin {
        double time = 0.0, stated = 0.0;  // s, with and without the delay
        std::int64_t line = 0;
    };
    Begin earliest_;  // of all that begin before the run
    Rupture rupture_;
};

}  // namespace

Rupture read_srf(const std::string& path, const tetra::Projection& projection, double delay) {
    return Reader(path, projection, delay).read();
}

bool is_srf(const std::string& path) {
    if (path.ends_with(".srf") || path.ends_with(".SRF")) return true;
    NumberLines lines(path);
    return lines.next_with_content() && base::parse_number<double>(lines.first_word()).has_value();
}

}  // namespace groundswell::quake
