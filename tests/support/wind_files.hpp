#pragma once

#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::test {

/// A folder that is gone after the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "groundswell-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(file(name)) << content;
        return file(name);
    }

private:
    std::filesystem::path path_;
};

/// A small wind file. Change what the test is about, then write().
struct WindFileMaker {
    using Field = std::function<double(double time, double latitude, double longitude)>;
    std::vector<double> longitude = {100.0, 102.0, 104.0, 107.0};
    std::vector<double> latitude = {0.0, 5.0, 10.0};
    std::vector<double> time = {0.0, 6.0, 12.0, 18.0, 24.0};
    std::string time_name = "time", time_units = "hours since 2024-01-01 00:00:00", calendar = "standard";
    std::string eastward_name = "u10", northward_name = "v10";
    std::string eastward_standard_name, northward_standard_name;
    std::string units = "m s-1";
    Field eastward = [](double, double, double) { return 1.0; };
    Field northward = [](double, double, double) { return 2.0; };
    bool northward_present = true;
    bool packed = false;     // short, 0.01 m/s a step around 3 m/s
    bool time_last = false;  // dimensions (latitude, longitude, time)
    bool unlimited = false;  // the time dimension
    double fill = -9999.0;   // a field's NaN is stored as this
    int format = NC_NETCDF4;

    std::string write(const std::string& path) const {
        int file = 0, dimensions[3], axes[3];
        check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
        check(nc_def_dim(file, time_name.c_str(), unlimited ? NC_UNLIMITED : time.size(), &dimensions[0]));
        check(nc_def_dim(file, "latitude", latitude.size(), &dimensions[1]));
        check(nc_def_dim(file, "longitude", longitude.size(), &dimensions[2]));
        check(nc_def_var(file, time_name.c_str(), NC_DOUBLE, 1, &dimensions[0], &axes[0]));
        check(nc_def_var(file, "latitude", NC_DOUBLE, 1, &dimensions[1], &axes[1]));
        check(nc_def_var(file, "longitude", NC_DOUBLE, 1, &dimensions[2], &axes[2]));
        text(file, axes[0], "units", time_units);
        text(file, axes[0], "calendar", calendar);
        text(file, axes[1], "units", "degrees_north");
        text(file, axes[2], "units", "degrees_east");
        const int u = define(file, eastward_name, eastward_standard_name, dimensions);
        const int v =
            northward_present ? define(file, northward_name, northward_standard_name, dimensions) : -1;
        check(nc_enddef(file));
        const std::size_t first = 0, times = time.size();
        check(nc_put_vara_double(file, axes[0], &first, &times, time.data()));
        check(nc_put_var_double(file, axes[1], latitude.data()));
        check(nc_put_var_double(file, axes[2], longitude.data()));
        put(file, u, eastward);
        if (northward_present) put(file, v, northward);
        check(nc_close(file));
        return path;
    }

private:
    static void check(int status) { ASSERT_EQ(status, NC_NOERR) << nc_strerror(status); }
    static void text(int file, int variable, const char* name, const std::string& value) {
        if (!value.empty()) check(nc_put_att_text(file, variable, name, value.size(), value.data()));
    }
    int define(int file, const std::string& name, const std::string& standard_name,
               const int* dimensions) const {
        const int turned[3] = {dimensions[1], dimensions[2], dimensions[0]};
        int variable = 0;
        check(nc_def_var(file, name.c_str(), packed ? NC_SHORT : NC_DOUBLE, 3,
                         time_last ? turned : dimensions, &variable));
        text(file, variable, "units", units);
        text(file, variable, "standard_name", standard_name);
        if (packed) {
            const double scale = 0.01, offset = 3.0;
            const short empty = static_cast<short>(fill);
            check(nc_put_att_double(file, variable, "scale_factor", NC_DOUBLE, 1, &scale));
            check(nc_put_att_double(file, variable, "add_offset", NC_DOUBLE, 1, &offset));
            check(nc_put_att_short(file, variable, "_FillValue", NC_SHORT, 1, &empty));
        } else {
            check(nc_put_att_double(file, variable, "missing_value", NC_DOUBLE, 1, &fill));
        }
        return variable;
    }
    void put(int file, int variable, const Field& field) const {
        std::vector<double> values;
        for (double t : time)
            for (double y : latitude)
                for (double x : longitude) {
                    const double value = field(t, y, x);
                    values.push_back(std::isnan(value) ? fill
                                     : packed          ? std::round((value - 3.0) / 0.01)
                                                       : value);
                }
        check(nc_put_var_double(file, variable, values.data()));
    }
};

/// The message of the Refusal that `action` ends with; empty (and a failed test) when it does not.
template <class Action>
std::string refusal_of(Action&& action) {
    try {
        action();
    } catch (const base::Refusal& refusal) {
        return refusal.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

/// True if `text` holds every word.
inline testing::AssertionResult says(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words)
        if (text.find(word) == std::string::npos)
            return testing::AssertionFailure() << "\"" << text << "\" does not say \"" << word << "\"";
    return testing::AssertionSuccess();
}

}  // namespace groundswell::test
