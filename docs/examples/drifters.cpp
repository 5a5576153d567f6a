// Drifters on a round sea, written by groundswell's output: a set of ids, dimensions and attributes of its
// own.
//
//   mpirun -n 4 drifters FILE.nc [MODE [SERVERS]]      defaults: auto, 0
//
// Drifter d turns around the middle at a speed of its own. Ranks own drifters in no order at all. At the end
// the file is read again and compared with where the drifters must be; exit code 1 if it differs.
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"

namespace output = groundswell::output;
namespace parallel = groundswell::parallel;

constexpr std::int64_t drifters = 1000;
constexpr int records = 5;

using Place = std::array<float, 2>;

Place place(std::int64_t drifter, double time) {
    const double angle =
        0.01 * static_cast<double>(drifter) + time / (1.0 + static_cast<double>(drifter % 7));
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

// What the file holds. Dimensions stand slowest first; the record dimension has a coordinate variable of its
// name.
output::Schema make_schema() {
    using output::Type;
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}, {"drifter", drifters}, {"axis", 2}};
    schema.variables = {
        {"time", Type::float64, {"time"}, {{"units", "seconds since 2000-01-01 00:00:00"}}},
        {"period", Type::int32, {"drifter"}, {{"units", "s"}, {"long_name", "time for one radian"}}},
        {"axis", Type::character, {"axis"}, {{"long_name", "east and north"}}},
        {"place", Type::float32, {"time", "drifter", "axis"}, {{"units", "km"}, {"_FillValue", -9999.0F}}},
    };
    schema.attributes = {{"title", "drifters on a round sea"}, {"Conventions", "CF-1.11"}};
    return schema;
}

void run(MPI_Comm comm, const std::string& path, const std::string& mode, const output::Roles* roles) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    // Which rows of the dimension `drifter` this rank has, in its own order: here as if they had been
    // shuffled.
    std::vector<std::int64_t> mine;
    for (std::int64_t i = 0; i < drifters; ++i) {
        const std::int64_t drifter = (i * 389) % drifters;
        if (drifter % 11 % ranks == rank) mine.push_back(drifter);
    }
    const output::Decomposition rows(comm, drifters, mine);

    output::OutputOptions options;
    options.mode = mode;
    output::Output out(comm, options, roles);
    output::Dataset file = out.create(path, make_schema(), true);

    // Without record dimension: of the drifters, each rank its own; of a small array, rank 0 all.
    std::vector<std::int32_t> period;
    for (const std::int64_t drifter : mine) period.push_back(static_cast<std::int32_t>(1 + drifter % 7));
    file.write_fixed(output::distributed<std::int32_t>("period", rows, period));
    const std::array<char, 2> axis{'E', 'N'};
    file.write_fixed(output::replicated<char>("axis", axis));

    std::vector<Place> places(mine.size());
    for (int record = 0; record < records; ++record) {
        const double time = 60.0 * record;
        for (std::size_t i = 0; i < mine.size(); ++i) places[i] = place(mine[i], time);
        const std::span<const float> values(places.empty() ? nullptr : places[0].data(), 2 * places.size());
        const output::Values place_values = output::distributed("place", rows, values);
        file.append_record(time, {&place_values, 1});  // `places` may change as soon as this returns
    }
    file.close();
    out.finish();  // all of it is on the disk now, or this throws
}

bool is_right(const std::string& path) {
    const output::Reader file(path);
    std::vector<float> values(2 * drifters);
    bool right = file.records() == records && file.text_attribute("title") == "drifters on a round sea";
    for (int record = 0; record < records; ++record) {
        file.read<float>("place", record, 0, drifters, values);
        for (std::int64_t d = 0; d < drifters; ++d) {
            right = right && Place{values[2 * d], values[2 * d + 1]} == place(d, 60.0 * record);
        }
    }
    const auto period = file.read_all<std::int32_t>("period");
    for (std::int64_t d = 0; d < drifters; ++d) right = right && period[d] == 1 + d % 7;
    return right;
}

int main(int argc, char** argv) {
    // Mode thread writes from a thread beside the model's.
    const parallel::Environment mpi(parallel::ThreadLevel::multiple);
    return parallel::run_to_exit_code(mpi.comm(), [&] {
        groundswell::base::require(argc > 1, "drifters", "FILE", "", "the file to write");
        const std::string path = argv[1], mode = argc > 2 ? argv[2] : "auto",
                          wanted = argc > 3 ? argv[3] : "0";
        if (wanted == "0") {
            run(mpi.comm(), path, mode, nullptr);
        } else {
            // Some ranks write and do nothing else; the model runs on the others.
            const int servers = output::server_count(wanted, mpi.size(), "drifters", "SERVERS");
            const output::Roles roles = output::split_roles(mpi.comm(), servers);
            if (roles.serves) {
                output::serve(roles);
            } else {
                run(roles.compute.get(), path, mode, &roles);
                output::release_servers(roles);
            }
        }
        const bool right = parallel::agree(mpi.comm(), [&] { return mpi.rank() > 0 || is_right(path); });
        int wrong = right ? 0 : 1;
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, mpi.comm());
        if (mpi.rank() == 0)
            std::printf("%s: %s\n", path.c_str(), wrong ? "not as it must be" : "as it must be");
        return wrong;
    });
}
