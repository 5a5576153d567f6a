#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/sea/forcing/storm/track_lines.hpp"

namespace groundswell::sea {

namespace {

/// The lines of a file, compressed by gzip or not.
class Lines {
public:
    explicit Lines(const std::string& path) : path_(path) {
        base::require_plain_file(path);
        file_ = gzopen(path.c_str(), "rb");
        base::require(file_ != nullptr, path, "", "",
                      "a file that can be read: a track as .csv, an ATCF deck, HURDAT2 or IBTrACS");
        gzbuffer(file_, 1U << 20);
    }
    ~Lines() { gzclose(file_); }
    Lines& operator=(Lines&&) = delete;  // neither copied nor moved

    bool next(std::string& line) {
        line.clear();
        for (;;) {
            if (at_ == held_) {
                const int read = gzread(file_, block_.data(), static_cast<unsigned>(block_.size()));
                base::require(read >= 0, path_, "", "", "a file whose compression is whole");
                at_ = 0;
                held_ = static_cast<std::size_t>(read);
                if (held_ == 0) return !line.empty();
            }
            const auto begin = block_.begin() + static_cast<std::ptrdiff_t>(at_);
            const auto end = block_.begin() + static_cast<std::ptrdiff_t>(held_);
            const auto stop = std::find(begin, end, '\n');
            line.append(begin, stop);
            at_ = static_cast<std::size_t>(stop - block_.begin());
            if (stop == end) continue;
            ++at_;
            return true;
        }
    }

private:
    std::string path_;
    gzFile file_ = nullptr;
    std::vector<char> block_ = std::vector<char>(1U << 18);
    std::size_t at_ = 0, held_ = 0;
};

bool are_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}
bool are_letters(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

enum class Form { csv, ibtracs, atcf, hurdat };

/// By the first line that is no comment; a file that is named .dat and says nothing else is a deck.
Form form_of(const std::string& path, const std::vector<std::string_view>& fields) {
    const auto has = [&](std::string_view name) { return std::ranges::find(fields, name) != fields.end(); };
    const std::string_view first = fields[0];
    if (has("SID") && has("ISO_TIME")) return Form::ibtracs;
    if (first.size() == 8 && are_letters(first.substr(0, 2)) && are_digits(first.substr(2)))
        return Form::hurdat;
    const bool deck = fields.size() >= 5 && first.size() == 2 && are_letters(first) &&
                      are_digits(fields[2]) && fields[2].size() == 10;
    return deck || path.ends_with(".dat") ? Form::atcf : Form::csv;
}

std::unique_ptr<TrackForm> make(Form form, const TrackChoice& choice) {
    switch (form) {
        case Form::ibtracs:
            return ibtracs_track(choice);
        case Form::atcf:
            return atcf_track(choice);
        case Form::hurdat:
            return hurdat_track(choice);
        case Form::csv:
            break;
    }
    return csv_track();
}

// What is asked for and the form does not know.
void check_choice(const std::string& path, Form form, const TrackChoice& choice) {
    const bool many = form == Form::ibtracs || form == Form::hurdat;
    base::require(choice.storm.empty() || many, path, "storm", choice.storm,
                  "a file of many storms, IBTrACS or HURDAT2: this one holds one");
    base::require((choice.technique.empty() && !choice.cycle) || form == Form::atcf, path, "technique",
                  choice.technique, "an ATCF deck: no other form holds forecasts");
}

}  // namespace

std::vector<StormFix> read_track(const std::vector<std::string>& paths, const TrackChoice& choice) {
    GS_ASSERT(!paths.empty());
    std::unique_ptr<TrackForm> reader;
    Form form = Form::csv;
    for (const std::string& path : paths) {
        Lines lines(path);
        std::string text;
        TrackLine line{path, 0, {}};
        bool begun = false;
        while (lines.next(text)) {
            ++line.number;
            std::string_view content = base::trimmed(text);
            if (line.number == 1 && content.starts_with("\xEF\xBB\xBF"))
                content.remove_prefix(3);  // byte-order mark
            if (content.empty() || content.front() == '#') continue;
            line.fields = base::split(content, ',');
            for (std::string_view& field : line.fields) field = base::trimmed(field);
            if (!begun) {
                const Form found = form_of(path, line.fields);
                base::require(reader == nullptr || (found == form && form == Form::atcf), path, "", "",
                              "one file, or ATCF decks of one storm");
                form = found;
                check_choice(path, form, choice);
                if (reader == nullptr) reader = make(form, choice);
                begun = true;
            }
            reader->take(line);
        }
    }
    std::vector<StormFix> fixes;
    if (reader) fixes = reader->finish(paths.front());
    base::require(fixes.size() >= 2, paths.front(), "fixes", std::to_string(fixes.size()), "at least two");
    base::require(
        std::any_of(fixes.begin(), fixes.end(), [](const StormFix& f) { return !std::isnan(f.max_wind); }),
        paths.front(), "wind", "none", "a maximum wind in at least one fix");
    return fixes;
}

}  // namespace groundswell::sea
