// Grids of rock for tests, and what a case says of rock.
#pragma once

#include <netcdf.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/quake/rock/options.hpp"
#include "support/wind_files.hpp"

namespace groundswell::test {

/// The section [material] that a text holds, read as a case reads it.
inline quake::RockOptions read_rock(const TemporaryFolder& folder, const std::string& text) {
    const simulation::CaseReader reader(folder.write("case.toml", text), {});
    quake::RockOptions options = quake::read_rock(reader.root().section("material"));
    reader.refuse_unknown_keys();
    return options;
}

/// A small grid of rock. Change what the test is about, then write().
struct RockGridMaker {
    using Field = std::function<double(double x, double y, double z)>;
    std::array<std::vector<double>, 3> axis{
        {{-2000.0, -500.0, 1000.0, 2000.0}, {0.0, 1000.0, 3000.0}, {-3000.0, -1000.0, -200.0, 0.0}}};
    std::array<std::string, 3> axis_name{"x", "y", "z"}, axis_units{"m", "m", "m"};
    std::array<int, 3> order{2, 1, 0};  // of the dimensions; 2 alone with `profile`
    bool profile = false;               // on z alone, at x = y = 0
    std::vector<std::string> name{"density", "vp", "vs"}, units{"kg m-3", "m s-1", "m s-1"};
    std::vector<Field> field{[](double, double, double) { return 2700.0; },
                             [](double, double, double) { return 6000.0; },
                             [](double, double, double) { return 3464.0; }};
    std::string positive;  // attribute of z
    double scale = 1.0;    // stored as short in these steps where it is not 1
    int format = NC_NETCDF4;

    std::string write(const std::string& path) const {
        int file = 0, dimension[3] = {}, coordinate[3] = {};
        std::vector<int> variable(name.size());
        check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
        const int first = profile ? 2 : 0;
        for (int j = first; j < 3; ++j) {
            check(nc_def_dim(file, axis_name[j].c_str(), axis[j].size(), &dimension[j]));
            check(nc_def_var(file, axis_name[j].c_str(), NC_DOUBLE, 1, &dimension[j], &coordinate[j]));
            text(file, coordinate[j], "units", axis_units[j]);
        }
        text(file, coordinate[2], "positive", positive);
        const int turned[3] = {dimension[order[0]], dimension[order[1]], dimension[order[2]]};
        for (std::size_t v = 0; v < name.size(); ++v) {
            check(nc_def_var(file, name[v].c_str(), scale == 1.0 ? NC_DOUBLE : NC_SHORT, profile ? 1 : 3,
                             profile ? &dimension[2] : turned, &variable[v]));
            text(file, variable[v], "units", units[v]);
            if (scale != 1.0) {
                const short empty = -1;
                check(nc_put_att_double(file, variable[v], "scale_factor", NC_DOUBLE, 1, &scale));
                check(nc_put_att_short(file, variable[v], "_FillValue", NC_SHORT, 1, &empty));
            }
        }
        check(nc_enddef(file));
        for (int j = first; j < 3; ++j) check(nc_put_var_double(file, coordinate[j], axis[j].data()));
        for (std::size_t v = 0; v < name.size(); ++v)
            check(nc_put_var_double(file, variable[v], values(field[v]).data()));
        check(nc_close(file));
        return path;
    }

private:
    std::vector<double> values(const Field& f) const {
        std::vector<double> all;
        const auto store = [&](double value) {
            all.push_back(scale == 1.0 ? value : std::isnan(value) ? -1.0 : std::round(value / scale));
        };
        if (profile) {
            for (const double z : axis[2]) store(f(0.0, 0.0, z));
            return all;
        }
        std::array<double, 3> place{};
        for (const double a : axis[order[0]])
            for (const double b : axis[order[1]])
                for (const double c : axis[order[2]]) {
                    place[order[0]] = a;
                    place[order[1]] = b;
                    place[order[2]] = c;
                    store(f(place[0], place[1], place[2]));
                }
        return all;
    }
    static void check(int status) { ASSERT_EQ(status, NC_NOERR) << nc_strerror(status); }
    static void text(int file, int variable, const char* attribute, const std::string& value) {
        if (!value.empty()) check(nc_put_att_text(file, variable, attribute, value.size(), value.data()));
    }
};

}  // namespace groundswell::test
