#include <fmt/format.h>
#include <mpi.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/time.hpp"
#include "support/wind_forcing.hpp"

// Reads many wind files in one process, for tests that make them by the thousand. Each line of the standard input is
// FILE <tab> TIME,TIME,… <tab> LON,LAT;LON,LAT;… <tab> KEY=VALUE;…, and is answered by one line: "ok" and u,v for each place
// of each time, or "refused" and the message.

namespace {

using namespace groundswell;

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream words(text);
    for (std::string part; std::getline(words, part, at);) parts.push_back(part);
    return parts;
}

sea::FileOptions options_of(const std::string& path, const std::string& keys) {
    sea::FileOptions options;
    options.files = split(path, ',');
    for (const std::string& pair : split(keys, ';')) {
        const auto equals = pair.find('=');
        const std::string key = pair.substr(0, equals), value = pair.substr(equals + 1);
        if (key == "units") options.units.values = value;
        if (key == "time_units") options.units.time = value;
        if (key == "calendar") options.units.calendar = value;
        if (key == "level") options.units.level = std::stod(value);
        if (key == "member") options.units.member = std::stoi(value);
        if (key == "longest_step") options.longest_step = std::stod(value);
        if (key == "components")
            options.units.components =
                value == "grid" ? gridded::Components::grid : gridded::Components::earth;
    }
    return options;
}

std::string answer(const std::vector<std::string>& words) {
    std::vector<base::Instant> times;
    for (const std::string& time : split(words.at(1), ','))
        times.push_back(base::parse_instant(time).value());
    std::vector<double> longitude, latitude;
    for (const std::string& place : split(words.at(2), ';')) {
        const auto degrees = split(place, ',');
        longitude.push_back(std::stod(degrees.at(0)) * base::degree);
        latitude.push_back(std::stod(degrees.at(1)) * base::degree);
    }
    const sea::ForcingEntries entries = {
        test::entry_of(options_of(words.at(0), words.size() > 3 ? words[3] : ""))};
    test::WindForcing forcing(MPI_COMM_SELF, "case.toml", entries, longitude, latitude, times.front(),
                              times.back());
    std::string said = "ok";
    std::vector<sea::Real> u(longitude.size()), v(longitude.size());
    for (const base::Instant time : times) {
        forcing.wind_at(time, u, v);
        for (std::size_t i = 0; i < u.size(); ++i) said += fmt::format("\t{:.9g},{:.9g}", u[i], v[i]);
    }
    return said;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    base::set_message_level(base::MessageLevel::error);
    for (std::string line; std::getline(std::cin, line);) {
        std::string said;
        try {
            said = answer(split(line, '\t'));
        } catch (const base::Refusal& refusal) {
            said = std::string("refused\t") + refusal.what();
        }
        std::cout << said << std::endl;
    }
    MPI_Finalize();
    return 0;
}
