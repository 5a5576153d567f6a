#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/formats/classic_backend.hpp"
#include "groundswell/output/formats/netcdf_calls.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

// Mode "serial": blocks travel to rank 0 one at a time, and it writes them.
//
// netCDF-C makes the header and is then done: with the first value of a record it would raise the record
// count, and send that to the disk before the values, or without them when the disk is full; and what it
// could not write it would keep. So values go to their places, which the format fixes, by plain writes, and
// the count follows when they were read back.
namespace groundswell::output {

namespace {

void check(int status, const std::string& what) {
    check_netcdf<base::RunFailure>(status, what);
}

class NetcdfBackend final : public ClassicBackend {
public:
    NetcdfBackend(MPI_Comm comm, const std::string& path, const Schema& schema)
        : ClassicBackend(comm, path, schema) {
        writes_ = rank_ == 0;
        writers_ = 1;
    }

    void create_file(const std::map<std::string, std::string>&) override {
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            make_header();
            file_ = output::open_file(path_);
        });
    }

    void open_file(const std::map<std::string, std::string>&) override {
        parallel::agree(comm_, [&] {
            if (writes_) file_ = output::open_file(path_);
        });
    }

    void write(const Target& target, std::span<std::byte> bytes) override {
        bring_to_root(target, bytes,
                      [this](const Target& each, std::span<std::byte> values) { write_here(each, values); });
    }

    void publish(std::int64_t records) override {
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            std::array<std::int64_t, 1> count{records};
            const auto bytes = std::as_writable_bytes(std::span(count));
            swap_big_endian(bytes, size_of(Type::int64));
            write_at(file_.get(), path_, record_count_offset, bytes,
                     fmt::format("the record count {}", records));
        });
    }

    bool readable_before_publish() const override { return true; }

    void close() override {
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            // Nothing has written the padding behind the last value.
            const std::int64_t end = end_of_file(layout(), read_record_count(path_));
            if (file_size(path_) < end && ::ftruncate(file_.get(), static_cast<off_t>(end)) != 0)
                throw base::RunFailure(
                    fmt::format("{}: cannot be given its length: {}", path_, std::strerror(errno)));
            if (::close(file_.release()) != 0)
                throw base::RunFailure(fmt::format("{}: cannot close: {}", path_, std::strerror(errno)));
        });
    }

protected:
    void put(const Target& target, std::int64_t segment, std::span<std::byte> bytes) override {
        swap_big_endian(bytes, size_of(variable_of(target.variable).type));
        write_at(file_.get(), path_, offset_of(target, segment), bytes, place_of(target));
    }

    void put_bytes(std::int64_t offset, std::span<const std::byte> bytes, const std::string& what) override {
        write_at(file_.get(), path_, offset, bytes, what);
    }

private:
    void make_header() {
        const auto lock = netcdf::own_library();
        const int made = nc_create(path_.c_str(), NC_NOCLOBBER | NC_64BIT_DATA, &id_);
        if (made != NC_NOERR)
            throw base::RunFailure(
                fmt::format("{}: cannot create: {}", path_, why_not_made(path_, nc_strerror(made))));
        try {
            define();
            int previous = 0;
            check(nc_set_fill(id_, NC_NOFILL, &previous), path_ + ": cannot set the fill mode");
            // PnetCDF begins the data at a multiple of 512 bytes: the same here gives the same file.
            check(nc__enddef(id_, 0, 512, 0, 4), path_ + ": cannot write the header");
        } catch (const base::RunFailure&) {
            nc_abort(id_);
            throw;
        }
        check(nc_close(id_), path_ + ": cannot write the header");
    }

    void define() {
        for (const Dimension& dimension : schema_.dimensions) {
            int unused = 0;
            const std::size_t length =
                dimension.unlimited ? NC_UNLIMITED : static_cast<std::size_t>(dimension.length);
            check(nc_def_dim(id_, dimension.name.c_str(), length, &unused),
                  path_ + ": dimension " + dimension.name);
        }
        for (const Variable& variable : schema_.variables) {
            std::vector<int> dimensions;
            for (const std::string& name : variable.dimensions) {
                dimensions.push_back(0);
                check(nc_inq_dimid(id_, name.c_str(), &dimensions.back()), path_ + ": dimension " + name);
            }
            int id = 0;
            check(nc_def_var(id_, variable.name.c_str(), netcdf_type(variable.type),
                             static_cast<int>(dimensions.size()), dimensions.data(), &id),
                  path_ + ": variable " + variable.name);
            for (const Attribute& attribute : variable.attributes) put_attribute(id, attribute);
        }
        for (const Attribute& attribute : schema_.attributes) put_attribute(NC_GLOBAL, attribute);
    }

    void put_attribute(int variable, const Attribute& attribute) {
        const int status = std::visit(
            [&](const auto& values) {
                using Value = typename std::decay_t<decltype(values)>::value_type;
                return nc_put_att(id_, variable, attribute.name.c_str(), netcdf_type(type_of<Value>()),
                                  values.size(), values.data());
            },
            attribute.value);
        check(status, path_ + ": attribute " + attribute.name);
    }

    int id_ = -1;            // while the header is made
    base::Descriptor file_;  // afterwards
};

}  // namespace

std::unique_ptr<Backend> make_netcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema) {
    return std::make_unique<NetcdfBackend>(comm, path, schema);
}

}  // namespace groundswell::output
