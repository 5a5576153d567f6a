#include "groundswell/c/output.h"
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/c/handles.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

using namespace groundswell;
using c::guarded;
using c::need;

struct gs_servers {
    MPI_Comm compute = MPI_COMM_NULL;
    std::optional<output::Roles> roles;  // none where no servers were asked for
};

struct gs_file {
    gs_output* output;
    output::Dataset dataset;
    std::vector<output::Values> record;  // put since the last record
};

struct gs_output {
    MPI_Comm comm;
    output::Output value;
    std::vector<std::unique_ptr<gs_file>> files;  // open ones
};

namespace {

constexpr std::string_view where = "output options";

std::string_view trimmed(std::string_view text) {
    return base::trimmed(text, " \t\n");
}

template <class T>
T number(std::string_view key, std::string_view value) {
    const auto result = base::parse_number<T>(value);
    base::require(result && *result >= T{}, where, key, value, "a number, 0 or more");
    return *result;
}

void set(output::OutputOptions& options, std::string_view key, std::string_view value) {
    if (key == "mode") {
        options.mode = value;  // the output itself knows which there are
    } else if (key == "backend") {
        options.backend = value;
    } else if (key == "buffer_bytes") {
        options.buffer_bytes = number<std::int64_t>(key, value);
    } else if (key == "on_error") {
        base::require(value == "stop" || value == "drop" || value == "retry", where, key, value,
                      "one of stop, drop, retry");
        options.on_error = value == "stop"   ? output::OnError::stop
                           : value == "drop" ? output::OnError::drop
                                             : output::OnError::retry;
    } else if (key == "format") {
        options.storage.format = output::parse_format(value, where, key);
    } else if (key == "compression") {
        options.storage.compression = number<int>(key, value);
    } else if (key == "checksums") {
        base::require(value == "true" || value == "false", where, key, value, "true or false");
        options.checksums = value == "true";
    } else if (key == "silence") {
        options.silence = number<double>(key, value);
    } else if (key.starts_with("hint.")) {
        options.hints.emplace(key.substr(5), value);
    } else {
        const std::vector<std::string> known{"mode",   "backend",     "buffer_bytes", "on_error",
                                             "format", "compression", "checksums",    "silence"};
        const std::string nearest = base::nearest_word(key, known);
        base::refuse(where, key, value,
                     fmt::format("one of the keys {}, hint.NAME{}", fmt::join(known, ", "),
                                 nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
    }
}

/// Options of an output from "KEY = VALUE, KEY = VALUE" (the keys stand in output.h). Refusal naming the key
/// that is unknown, given twice or holds what it cannot.
output::OutputOptions read_output_options(std::string_view text) {
    output::OutputOptions options;
    options.where = where;
    options.names.hints = "hint";
    options.names.servers = "gs_servers_split";
    std::set<std::string_view> seen;
    while (!trimmed(text).empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        text.remove_prefix(std::min(item.size() + 1, text.size()));
        const auto equals = item.find('=');
        base::require(equals != std::string_view::npos, where, trimmed(item), "", "KEY = VALUE");
        const std::string_view key = trimmed(item.substr(0, equals)),
                               value = trimmed(item.substr(equals + 1));
        base::require(seen.insert(key).second, where, key, value, "each key once");
        set(options, key, value);
    }
    return options;
}

output::Values values_of(const char* variable, gs_type type, std::int64_t count, const void* values,
                         const gs_rows* rows) {
    output::Values view;
    view.variable = &need(variable, "variable");
    view.type = c::type_of(type);
    view.data = static_cast<const std::byte*>(values);
    view.count = count;
    view.decomposition = rows == nullptr ? nullptr : &rows->value;
    if (count > 0) need(view.data, "values");
    return view;
}

/// Checks the arguments on all ranks before `open` makes the dataset.
template <class Open>
void add_file(gs_output* output, const char* path, const gs_schema* schema, gs_file** file,
              const Open& open) {
    gs_output& all = need(output, "output");
    parallel::agree(all.comm, [&] {
        need(file, "file") = nullptr;
        need(schema, "schema").value.validate(&need(path, "path"));
    });
    all.files.push_back(std::make_unique<gs_file>(gs_file{output, open(schema->value), {}}));
    *file = all.files.back().get();
}

}  // namespace

int gs_servers_split(MPI_Comm world, const char* wanted, gs_servers** servers, MPI_Comm* compute) {
    return guarded(__func__, [&] {
        int ranks = 1;
        parallel::check(MPI_Comm_size(world, &ranks), "tell the number of ranks");
        const int count = parallel::agree(world, [&] {
            need(servers, "servers") = nullptr;
            need(compute, "compute") = MPI_COMM_NULL;
            const std::string_view text = &need(wanted, "wanted");
            return text == "0" ? 0 : output::server_count(text, ranks, c::function, "servers");
        });
        auto made = std::make_unique<gs_servers>();
        made->compute = world;
        if (count > 0) {
            made->roles = output::split_roles(world, count);
            if (made->roles->serves) {
                output::serve(*made->roles);
                return;
            }
            made->compute = made->roles->compute.get();
        }
        *compute = made->compute;
        *servers = made.release();
    });
}

int gs_servers_release(gs_servers** servers) {
    if (servers == nullptr || *servers == nullptr) return GS_DONE;
    return guarded(__func__, [&] {
        const std::unique_ptr<gs_servers> last(std::exchange(*servers, nullptr));
        if (last->roles) output::release_servers(*last->roles);
    });
}

int gs_output_create(MPI_Comm comm, const char* options, const gs_servers* servers, gs_output** output) {
    return guarded(__func__, [&] {
        const output::OutputOptions read = parallel::agree(comm, [&] {
            need(output, "output") = nullptr;
            return read_output_options(options == nullptr ? "" : options);
        });
        const output::Roles* roles = servers != nullptr && servers->roles ? &*servers->roles : nullptr;
        *output = new gs_output{comm, output::Output(comm, read, roles), {}};
    });
}

int gs_output_settle(gs_output* output) {
    return guarded(__func__, [&] { need(output, "output").value.settle(); });
}

int gs_output_finish(gs_output** output) {
    if (output == nullptr || *output == nullptr) return GS_DONE;
    return guarded(__func__, [&] {
        const std::unique_ptr<gs_output> last(std::exchange(*output, nullptr));
        last->value.finish();
    });
}

int gs_output_cost_get(const gs_output* output, gs_output_cost* cost) {
    return guarded(__func__, [&] {
        const output::OutputReport report = need(output, "output").value.report();
        need(cost, "cost") = {report.records, report.bytes, report.blocked_seconds, report.writing_seconds};
    });
}

int gs_file_create(gs_output* output, const char* path, const gs_schema* schema, int overwrite,
                   gs_file** file) {
    return guarded(__func__, [&] {
        add_file(output, path, schema, file, [&](const output::Schema& content) {
            return output->value.create(path, content, overwrite != 0);
        });
    });
}

int gs_file_reopen(gs_output* output, const char* path, const gs_schema* schema, double last_time,
                   gs_file** file) {
    return guarded(__func__, [&] {
        add_file(output, path, schema, file, [&](const output::Schema& content) {
            return output->value.reopen(path, content, last_time);
        });
    });
}

int gs_file_write(gs_file* file, const char* variable, gs_type type, int64_t count, const void* values,
                  const gs_rows* rows) {
    return guarded(__func__, [&] {
        need(file, "file").dataset.write_fixed(values_of(variable, type, count, values, rows));
    });
}

int gs_file_put(gs_file* file, const char* variable, gs_type type, int64_t count, const void* values,
                const gs_rows* rows) {
    return guarded(__func__, [&] {
        need(file, "file").record.push_back(values_of(variable, type, count, values, rows));
    });
}

int gs_file_end_record(gs_file* file, double time) {
    return gs_file_end_records(file, 1, &time);
}

int gs_file_end_records(gs_file* file, int64_t count, const double* times) {
    return guarded(__func__, [&] {
        gs_file& open = need(file, "file");
        const std::vector<output::Values> records = std::exchange(open.record, {});
        if (count < 0) c::reject("a negative number of records");
        if (count > 0) need(times, "times");
        open.dataset.append_records({times, static_cast<std::size_t>(count)}, records);
    });
}

int gs_file_close(gs_file** file) {
    if (file == nullptr || *file == nullptr) return GS_DONE;
    return guarded(__func__, [&] {
        gs_file* const open = std::exchange(*file, nullptr);
        std::vector<std::unique_ptr<gs_file>>& files = open->output->files;
        output::Dataset dataset = open->dataset;
        std::erase_if(files, [&](const auto& each) { return each.get() == open; });
        dataset.close();
    });
}
