#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "groundswell/output/classic_backend.hpp"
#include "groundswell/output/netcdf_calls.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

// Mode "serial": blocks travel to rank 0 one at a time, and it writes them through netCDF-C.
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
            const auto lock = own_library();
            check(nc_create(path_.c_str(), NC_NOCLOBBER | NC_64BIT_DATA, &id_), path_ + ": cannot create");
            define();
            int previous = 0;
            check(nc_set_fill(id_, NC_NOFILL, &previous), path_ + ": cannot set the fill mode");
            // PnetCDF begins the data at a multiple of 512 bytes: the same here gives the same file.
            check(nc__enddef(id_, 0, 512, 0, 4), path_ + ": cannot write the header");
            check(nc_sync(id_), path_ + ": cannot write the header");
        });
    }

    void open_file(const std::map<std::string, std::string>&) override {
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            const auto lock = own_library();
            check(nc_open(path_.c_str(), NC_WRITE, &id_), path_ + ": cannot open for writing");
            int previous = 0;
            check(nc_set_fill(id_, NC_NOFILL, &previous), path_ + ": cannot set the fill mode");
            for (const Variable& variable : schema_.variables) {
                variables_.push_back(0);
                check(nc_inq_varid(id_, variable.name.c_str(), &variables_.back()),
                      path_ + ": " + variable.name);
            }
        });
    }

    void write(const Target& target, std::span<std::byte> bytes) override {
        bring_to_root(target, bytes,
                      [this](const Target& each, std::span<std::byte> values) { write_here(each, values); });
    }

    void publish(std::int64_t records) override {
        // The record count grew in memory with the first value of the record, and reaches the file here.
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            const auto lock = own_library();
            check(nc_sync(id_), fmt::format("{}: {}: cannot write the end of it and the record count", path_,
                                            records > 0 ? fmt::format("record {}", records - 1)
                                                        : std::string("variables without time")));
        });
    }

    bool readable_before_publish() const override { return false; }  // netCDF-C keeps a page in memory

    void close() override {
        parallel::agree(comm_, [&] {
            if (!writes_) return;
            const auto lock = own_library();
            check(nc_close(id_), path_ + ": cannot close");
        });
    }

protected:
    void put(const Target& target, std::span<std::byte> bytes) override {
        const Slab slab = slab_of(target);
        const std::vector<std::size_t> start(slab.start.begin(), slab.start.end());
        const std::vector<std::size_t> count(slab.count.begin(), slab.count.end());
        const auto lock = own_library();
        check(nc_put_vara(id_, variables_[static_cast<std::size_t>(target.variable)], start.data(),
                          count.data(), bytes.data()),
              describe(target));
    }

private:
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
            variables_.push_back(0);
            check(nc_def_var(id_, variable.name.c_str(), netcdf_type(variable.type),
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
                return nc_put_att(id_, variable, attribute.name.c_str(), netcdf_type(type_of<Value>()),
                                  values.size(), values.data());
            },
            attribute.value);
        check(status, path_ + ": attribute " + attribute.name);
    }

    int id_ = -1;
    std::vector<int> variables_;
};

}  // namespace

std::unique_ptr<Backend> make_netcdf_backend(MPI_Comm comm, const std::string& path, const Schema& schema) {
    return std::make_unique<NetcdfBackend>(comm, path, schema);
}

}  // namespace groundswell::output
