#include <fmt/format.h>
#include <pnetcdf.h>

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"
#include "groundswell/output/formats/classic_backend.hpp"
#include "groundswell/parallel/agree.hpp"

// Mode "direct": every rank writes its own block through PnetCDF.
//
// The blocks are put in independent mode, where the record count in the header stays as it is (a collective
// put would raise it at the first variable of a record, and a killed run would leave a torn record that
// readers see); ncmpi_sync_numrecs then shows the whole record at once.
namespace groundswell::output {

namespace {

void check_call(int status, const std::string& what) {
    if (status != NC_NOERR) throw base::RunFailure(fmt::format("{}: {}", what, ncmpi_strerror(status)));
}

/// Checks the status of a call that writes. Some MPI-IO layers turn every error of the system into "unknown error";
/// that of a full disk is found again.
void check_written(int status, const std::string& what, const std::string& path) {
    if (status == NC_NOERR) return;
    const std::string full = is_full(path) ? fmt::format(": {}", std::strerror(ENOSPC)) : "";
    throw base::RunFailure(fmt::format("{}: {}{}", what, ncmpi_strerror(status), full));
}

/// PnetCDF knows the types of C, not those of fixed width.
MPI_Datatype mpi_type(Type type) {
    const MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_LONG_LONG, MPI_FLOAT,
                                  MPI_DOUBLE};  // in the order of Type
    return types[static_cast<std::size_t>(type)];
}

class PnetcdfBackend final : public ClassicBackend {
public:
    PnetcdfBackend(MPI_Comm comm, const std::string& path, const Schema& schema)
        : ClassicBackend(comm, path, schema) {
        writers_ = ranks_;
    }

    void create_file(const std::map<std::string, std::string>& hints) override {
        const MpiHints info(hints);
        require_shared_memory("cannot create");
        together([&] {
            const int made =
                ncmpi_create(comm_, path_.c_str(), NC_NOCLOBBER | NC_64BIT_DATA, info.get(), &id_);
            if (made != NC_NOERR)
                throw base::RunFailure(
                    fmt::format("{}: cannot create: {}", path_, why_not_made(path_, ncmpi_strerror(made))));
        });
        together([&] { define(); });
        together([&] { check_written(ncmpi_enddef(id_), path_ + ": cannot write the header", path_); });
        together([&] { check_call(ncmpi_begin_indep_data(id_), path_ + ": cannot begin writing"); });
    }

    void open_file(const std::map<std::string, std::string>& hints) override {
        const MpiHints info(hints);
        require_shared_memory("cannot open for writing");
        together([&] {
            check_call(ncmpi_open(comm_, path_.c_str(), NC_WRITE, info.get(), &id_),
                       path_ + ": cannot open for writing");
        });
        together([&] {
            for (const Variable& variable : schema_.variables) {
                variables_.push_back(0);
                check_call(ncmpi_inq_varid(id_, variable.name.c_str(), &variables_.back()),
                           path_ + ": " + variable.name);
            }
        });
        together([&] { check_call(ncmpi_begin_indep_data(id_), path_ + ": cannot begin writing"); });
    }

    void write(const Target& target, std::span<std::byte> bytes) override { write_here(target, bytes); }

    void publish(std::int64_t records) override {
        together([&] {
            check_written(ncmpi_sync_numrecs(id_),
                          fmt::format("{}: cannot write the record count {}", path_, records), path_);
        });
    }

    bool readable_before_publish() const override { return true; }

    void close() override {
        together([&] { check_call(ncmpi_close(id_), path_ + ": cannot close"); });
    }

protected:
    void put(const Target& target, std::int64_t segment, std::span<std::byte> bytes) override {
        const Slab slab = slab_of(target, segment);
        const Type type = variable_of(target.variable).type;
        const auto lock = netcdf::own_library();
        check_written(ncmpi_put_vara(id_, variables_[target.variable], slab.start.data(), slab.count.data(),
                                     bytes.data(), static_cast<MPI_Offset>(bytes.size()) / size_of(type),
                                     mpi_type(type)),
                      describe(target), path_);
    }

    /// No call of the library writes several variables of a record as one. The format gives every byte its
    /// place, so they go there as rank 0's values do in mode "serial".
    void put_bytes(std::int64_t offset, std::span<const std::byte> bytes, const std::string& what) override {
        if (!file_.is_open()) file_ = output::open_file(path_);
        write_at(file_.get(), path_, offset, bytes, what);
    }

    /// The library counts the records that it has written: it writes the last time once more.
    void note_records(std::int64_t records, double time) override {
        if (rank_ != 0 || !failure().empty()) return;
        const Variable* coordinate = schema_.find(schema_.record_dimension()->name);
        const MPI_Offset start = records - 1, count = 1;
        const auto lock = netcdf::own_library();
        keep_failure([&] {
            check_written(ncmpi_put_vara_double(id_, variables_[coordinate - schema_.variables.data()],
                                                &start, &count, &time),
                          fmt::format("{}: record {}", path_, records - 1), path_);
        });
    }

private:
    /// Corner and edge lengths of a target, with the record dimension where there is one.
    struct Slab {
        std::vector<MPI_Offset> start, count;
    };
    Slab slab_of(const Target& target, std::int64_t segment) const {
        const Variable& variable = variable_of(target.variable);
        Slab slab;
        if (schema_.is_record(variable)) {
            slab.start.push_back(target.record);
            slab.count.push_back(1);
        }
        const std::vector<std::int64_t> shape = schema_.shape(variable);
        const std::size_t axis = schema_.row_axis(variable);
        std::int64_t segments = schema_.row_shape(variable).segments;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (i < axis) {
                segments /= shape[i];
                slab.start.push_back(segment / segments);
                segment %= segments;
            } else {
                slab.start.push_back(i == axis ? target.first_row : 0);
            }
            slab.count.push_back(i < axis ? 1 : i == axis ? target.rows : shape[i]);
        }
        return slab;
    }

    /// One library call (or several that are local) on every rank, then agreement on its outcome, so that no
    /// rank enters the next collective call alone.
    template <class F>
    void together(F&& call) {
        parallel::agree(comm_, [&] {
            const auto lock = netcdf::own_library();
            call();
        });
    }

    /// Before any rank is within MPI-IO, where it would wait for those that fail.
    void require_shared_memory(const std::string& what) {
        parallel::agree(comm_, [&] {
            const std::string missing = missing_shared_memory(ranks_);
            if (!missing.empty()) throw base::RunFailure(fmt::format("{}: {}: {}", path_, what, missing));
        });
    }

    void define() {
        for (const Dimension& dimension : schema_.dimensions) {
            int unused = 0;
            const MPI_Offset length =
                dimension.unlimited ? NC_UNLIMITED : static_cast<MPI_Offset>(dimension.length);
            check_call(ncmpi_def_dim(id_, dimension.name.c_str(), length, &unused),
                       path_ + ": dimension " + dimension.name);
        }
        for (const Variable& variable : schema_.variables) {
            std::vector<int> dimensions;
            for (const std::string& name : variable.dimensions) {
                dimensions.push_back(0);
                check_call(ncmpi_inq_dimid(id_, name.c_str(), &dimensions.back()),
                           path_ + ": dimension " + name);
            }
            variables_.push_back(0);
            check_call(
                ncmpi_def_var(id_, variable.name.c_str(), netcdf_type(variable.type),
                              static_cast<int>(dimensions.size()), dimensions.data(), &variables_.back()),
                path_ + ": variable " + variable.name);
            for (const Attribute& attribute : variable.attributes)
                put_attribute(variables_.back(), attribute);
        }
        for (const Attribute& attribute : schema_.attributes) put_attribute(NC_GLOBAL, attribute);
    }

    void put_attribute(int variable, const Attribute& attribute) {
        const int status = std::visit(
            [&](const auto& values) {
                using Value = typename std::decay_t<decltype(values)>::value_type;
                const Type type = type_of<Value>();
                const auto count = static_cast<MPI_Offset>(values.size());
                if constexpr (std::is_same_v<Value, char>) {
                    return ncmpi_put_att_text(id_, variable, attribute.name.c_str(), count, values.data());
                } else {
                    return ncmpi_put_att(id_, variable, attribute.name.c_str(), netcdf_type(type), count,
                                         values.data());
                }
            },
            attribute.value);
        check_call(status, path_ + ": attribute " + attribute.name);
    }

    int id_ = -1;
    std::vector<int> variables_;
    base::Descriptor file_;  // of the system, for whole records; not open: not needed so far
};

}  // namespace

std::unique_ptr<Backend> make_pnetcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema) {
    return std::make_unique<PnetcdfBackend>(comm, path, schema);
}

}  // namespace groundswell::output
