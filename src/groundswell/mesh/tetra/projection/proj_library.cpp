#include <proj.h>

#include <memory>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/projection/projection.hpp"

// The projections of the PROJ library, from longitude and latitude on WGS 84.
namespace groundswell::tetra {

namespace {

struct Context {
    Context() : made(proj_context_create()) { proj_log_level(made, PJ_LOG_NONE); }
    ~Context() { proj_context_destroy(made); }
    Context& operator=(Context&&) = delete;  // neither copied nor moved
    PJ_CONTEXT* made;
};

class LibraryFormula final : public Projection::Formula {
public:
    explicit LibraryFormula(const std::string& words) {
        PJ* const plain = proj_create_crs_to_crs(context_.made, "EPSG:4326", words.c_str(), nullptr);
        if (plain == nullptr) return;
        in_metres_ = is_in_metres(plain);
        // Longitude first, east first, whatever the authority says.
        made_ = proj_normalize_for_visualization(context_.made, plain);
        proj_destroy(plain);
    }
    ~LibraryFormula() override {
        if (made_ != nullptr) proj_destroy(made_);
    }
    LibraryFormula& operator=(LibraryFormula&&) = delete;  // neither copied nor moved

    bool is_known() const { return made_ != nullptr && in_metres_; }
    Projection::Metres metres(const Projection::Degrees& place) const override {
        const PJ_COORD found =
            proj_trans(made_, PJ_FWD, proj_coord(place.longitude, place.latitude, 0.0, 0.0));
        return {found.xy.x, found.xy.y};
    }
    Projection::Degrees degrees(const Projection::Metres& place) const override {
        const PJ_COORD found = proj_trans(made_, PJ_INV, proj_coord(place.east, place.north, 0.0, 0.0));
        return {found.xy.x, found.xy.y};
    }

private:
    bool is_in_metres(const PJ* turn) const {
        PJ* const target = proj_get_target_crs(context_.made, turn);
        PJ* const axes = target == nullptr ? nullptr : proj_crs_get_coordinate_system(context_.made, target);
        double factor = 0.0;
        const char* unit = nullptr;
        if (axes != nullptr)
            proj_cs_get_axis_info(context_.made, axes, 0, nullptr, nullptr, nullptr, &factor, &unit, nullptr,
                                  nullptr);
        const bool metres = factor == 1.0 && unit != nullptr && std::string_view(unit).starts_with("met");
        proj_destroy(axes);
        proj_destroy(target);
        return metres;
    }

    Context context_;
    PJ* made_ = nullptr;
    bool in_metres_ = false;
};

}  // namespace

std::shared_ptr<const Projection::Formula> proj_library(const std::string& words, std::string_view where,
                                                        std::string_view key) {
    auto made = std::make_shared<const LibraryFormula>(words);
    base::require(
        made->is_known(), where, key, words,
        "a projection onto metres in the words of the PROJ library (+proj=utm +zone=11 +datum=WGS84) or "
        "by its number (EPSG:32611)");
    return made;
}

}  // namespace groundswell::tetra
