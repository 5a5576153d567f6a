#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/streams/peaks.hpp"
#include "groundswell/quake/streams/sections.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/quake/wavefield.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::quake {

/// Records that fall into a step: what an output file gets of it, gathered while the step is made.
class Recorder {
public:
    explicit Recorder(base::Duration every) : every_(every) {}
    virtual ~Recorder() = default;

    /// Before a step: it will have so many records, from number `first` on.
    void expect(std::int64_t first, std::int64_t count) {
        first_ = first;
        count_ = count;
        clear();
    }

    std::int64_t count() const { return count_; }
    /// s since the start.
    double time(std::int64_t record) const { return base::Duration{record * every_.microseconds}.seconds(); }
    /// Time of a record by its place among the expected, s.
    double time_of(std::int64_t place) const { return time(first_ + place); }
    bool wants(double from, double to) const {
        const std::int64_t record = next(from);
        return record < first_ + count_ && time(record) < to;
    }
    /// act(place among the expected, time) for each record from `from`, and up to but not at `to`.
    template <class Act>
    void each(double from, double to, const Act& act) const {
        for (std::int64_t r = next(from); r < first_ + count_ && time(r) < to; ++r) act(r - first_, time(r));
    }
    /// The same as moments, by their place among the expected.
    void add_moments(double from, double to, std::vector<Moment>& moments) const {
        each(from, to, [&](std::int64_t record, double at) { moments.push_back({record, at}); });
    }

protected:
    /// Makes room for count() records.
    virtual void clear() = 0;

private:
    // The first expected record that is not before `from`.
    std::int64_t next(double from) const {
        auto record = std::max(first_, static_cast<std::int64_t>(from / every_.seconds()) - 1);
        while (record < first_ + count_ && time(record) < from) ++record;
        return record;
    }

    base::Duration every_;
    std::int64_t first_ = 0, count_ = 0;
};

/// Sums that depend on no order, so many of each record, gathered by thread.
template <class Sum>
class SumRecorder : public Recorder {
public:
    SumRecorder(base::Duration every, std::int64_t of_record) : Recorder(every), of_record_(of_record) {}

    /// This thread's of a record.
    Sum* of(std::int64_t record) { return of_thread_[exec::thread_index()].data() + of_record_ * record; }
    /// Those of all threads together, [record][sum]; once a step.
    std::span<Sum> all() {
        for (std::size_t t = 1; t < of_thread_.size(); ++t) {
            for (std::size_t i = 0; i < of_thread_[t].size(); ++i) of_thread_[0][i].add(of_thread_[t][i]);
        }
        return of_thread_[0];
    }

private:
    void clear() override { of_thread_.assign(exec::threads(), std::vector<Sum>(of_record_ * count())); }
    std::int64_t of_record_;
    std::vector<std::vector<Sum>> of_thread_;
};

/// The moments of a recorder's records, for Observer, FaultObserver and FaultProbe.
inline auto moments_of(std::shared_ptr<const Recorder> recorder) {
    return [recorder = std::move(recorder)](double from, double to, std::vector<Moment>& moments) {
        recorder->add_moments(from, to, moments);
    };
}

/// A stream, and what gathers its records; both know each other's data for as long as one of them lives.
struct RecordedStream {
    std::unique_ptr<simulation::Stream> stream;
    std::shared_ptr<Recorder> recorder;
};

/// A file of series_schema().
class SeriesStream : public simulation::Stream {
public:
    using Numbers = std::vector<std::vector<double>>;  ///< [number][record]

    /// `fill`: adds the records of a step. Called on all ranks together; the same on each.
    SeriesStream(const StreamSection& section, output::Schema schema, std::function<void(Numbers&)> fill)
        : Stream(section.file, section.every, std::move(schema)),
          fill_(std::move(fill)),
          numbers_(this->schema().variables.size() - 1) {}

    void write_fixed(output::Dataset& /*file*/) override {}
    std::int64_t record_bytes() const override { return numbers_.size() * sizeof(double); }
    std::vector<output::Values> record() override {
        for (auto& one : numbers_) one.clear();
        fill_(numbers_);
        std::vector<output::Values> record;
        for (std::size_t i = 0; i < numbers_.size(); ++i)
            record.push_back(output::replicated<double>(schema().variables[1 + i].name, numbers_[i]));
        return record;
    }

private:
    std::function<void(Numbers&)> fill_;
    Numbers numbers_;
};

/// Seismograms. Refuses places outside the mesh. The wave field calls the recorder from now on. Collective.
template <class Real>
RecordedStream make_receivers(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
                              const Domain& domain, Wavefield<Real>& field);

/// Kinetic and elastic energy of the whole field. `attenuation`: of the field, or null.
template <class Real>
RecordedStream make_energies(MPI_Comm comm, const ProjectedCase& run, const EnergySection& section,
                             const Attenuation* attenuation, const Domain& domain, Wavefield<Real>& field);

/// Unknowns at the centres of the triangles of the free surface, and the largest motions so far. `mesh` and `peaks` are
/// those of the section.
template <class Real>
RecordedStream make_surface(const ProjectedCase& run, const SurfaceSection& section,
                            std::shared_ptr<const SurfaceMesh> mesh, const std::shared_ptr<Peaks>& peaks,
                            const Domain& domain, Wavefield<Real>& field);

/// Unknowns at the centres of tetrahedra: the cells of a part of the volume, or what they are cut into. `comm` reads alike on
/// all ranks. Collective.
template <class Real>
RecordedStream make_volume(MPI_Comm comm, const ProjectedCase& run, const VolumeSection& section,
                           const Domain& domain, Wavefield<Real>& field);

/// Unknowns at the centres of all cells. `rows`: of the cells, in the order of the file; outlives the stream.
template <class Real>
RecordedStream make_map(const ProjectedCase& run, const simulation::MapSection& section, const Domain& domain,
                        const output::Decomposition& rows, Wavefield<Real>& field);

}  // namespace groundswell::quake
