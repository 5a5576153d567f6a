#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/sea/boundary/section.hpp"

namespace groundswell::netcdf {
class Packing;
}

namespace groundswell::sea {

/// A NetCDF file of spectra at stations, E(time, station, frequency, direction) or, of one station, E(time, frequency, direction):
/// points of a run, WAVEWATCH III, wavespectra, SWAN. Found by standard names and by the names that these programs use.
class SpectraFile {
public:
    /// Reads all but the spectra. Throws base::Refusal, for a file that does not cover the period as well.
    SpectraFile(const BoundarySection& section, const std::string& case_file, base::Instant start,
                base::Instant end);
    ~SpectraFile();

    const std::vector<base::Instant>& times() const { return times_; }
    std::size_t stations() const { return lon_.size(); }
    double lon(std::size_t station) const { return lon_[station]; }  ///< rad
    double lat(std::size_t station) const { return lat_[station]; }
    const std::vector<double>& frequency() const { return frequency_; }  ///< Hz
    /// rad, going to, anticlockwise from east; as they stand in the file.
    const std::vector<double>& direction() const { return direction_; }
    const std::string& path() const { return file_.path(); }
    std::size_t bins() const { return frequency_.size() * direction_.size(); }

    /// Sets density[bins], m² Hz⁻¹ rad⁻¹. Throws base::Refusal for a value that is no density.
    void read(std::size_t time, std::size_t station, std::vector<double>& density) const;

private:
    using Variable = netcdf::Reader::Variable;
    const Variable& find_density() const;
    const Variable& axis(std::size_t dimension, const char* what,
                         const std::vector<std::string>& names) const;
    void read_times(base::Instant start, base::Instant end);
    void require_no_gap(double longest_step, base::Instant start, base::Instant end) const;
    void read_places();
    void read_frequency();
    void read_direction(const BoundarySection& section, const std::string& case_file);
    void read_units(const BoundarySection& section, const std::string& case_file);

    netcdf::Reader file_;
    const Variable& density_;
    std::unique_ptr<netcdf::Packing> packing_;
    bool has_stations_;
    double factor_ = 1.0;  // to m² Hz⁻¹ rad⁻¹
    std::vector<base::Instant> times_;
    std::vector<double> lon_, lat_, frequency_, direction_;
};

}  // namespace groundswell::sea
