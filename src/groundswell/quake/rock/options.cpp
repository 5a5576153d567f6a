#include "groundswell/quake/rock/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace groundswell::quake {

namespace {

using simulation::Section;

constexpr const char* constant_keys[] = {"density", "vp", "vs", "lambda", "mu", "stiffness", "qp", "qs"};

constexpr const char* varied_keys[] = {"layers", "gradient", "stiffness_layers", "stiffness_gradient",
                                       "grid"};

std::vector<std::int64_t> read_groups(const Section& entry) {
    const char* expected = "a list of whole numbers, of groups of the mesh";
    std::vector<std::int64_t> groups;
    for (const double number : entry.numbers("group", 0,
                                             {"groups of the mesh (in Gmsh: physical volumes) that are made "
                                              "of this rock; if not given, all that no other entry names"})) {
        if (std::abs(number) > 1e15 || number != std::floor(number)) entry.refuse("group", expected);
        groups.push_back(static_cast<std::int64_t>(number));
        if (std::ranges::count(groups, groups.back()) > 1)
            entry.refuse("group", fmt::format("each group once; {} comes twice", groups.back()));
    }
    if (groups.empty() && entry.has("group")) entry.refuse("group", expected);
    return groups;
}

// Relaxation has one modulus of shear and one of compression.
void refuse_loss(const Section& entry, const char* key, bool attenuating) {
    if (attenuating && entry.has(key) && !entry.describing())
        entry.refuse(key,
                     "isotropic rock in a case with the section [attenuation]: anisotropic rock loses "
                     "nothing");
}

StatedRock read_constant(const Section& entry, bool attenuating) {
    const bool moduli = entry.has("lambda") || entry.has("mu"), speeds = entry.has("vp") || entry.has("vs");
    const bool is_anisotropic = entry.has("stiffness");
    if (moduli + speeds + is_anisotropic > 1) entry.refuse("", "one of: vp and vs, lambda and mu, stiffness");
    refuse_loss(entry, "stiffness", attenuating);
    StatedRock rock;
    rock.moduli = moduli;
    const auto ask = [&](const char* key, std::string_view meaning, std::string_view unit) {
        return entry.number(key, std::nullopt, {}, {meaning, unit, "", "none"});
    };
    rock.density = ask("density", "density of uniform rock, with vp and vs", "kg m-3");
    if (!moduli && !is_anisotropic) {
        rock.first = ask("vp", "speed of its P waves", "m s-1");
        rock.second = ask("vs", "speed of its S waves", "m s-1");
    }
    if (moduli || entry.describing()) {
        rock.first = ask("lambda", "in place of vp and vs: Lamé's first parameter", "Pa");
        rock.second = ask("mu", "in place of vp and vs: shear modulus", "Pa");
    }
    if (is_anisotropic || entry.describing())
        rock.constants = entry.numbers(
            "stiffness", elastic_constants,
            {"in place of vp and vs: the 21 constants of anisotropic rock, c11, c12 … c16, c22 … "
             "c26 … c66, where 1, 2, 3 stand for xx, yy, zz and 4, 5, 6 for yz, xz, xy (Voigt)",
             "Pa", "de la Puente et al. 2007, doi:10.1111/j.1365-246X.2007.03381.x"});
    const auto quality = [&](const char* key, std::string_view meaning) {
        if (!attenuating && entry.has(key) && !entry.describing())
            entry.refuse(key, "the section [attenuation], with the band in which Q holds");
        return loss_of(entry.number(key, 0.0, {0.0, 1e12}, {meaning, "1"}));
    };
    rock.loss_p = quality("qp", "with [attenuation]: Q of P waves, 5 or more; 0: they lose nothing");
    rock.loss_s = quality("qs", "with [attenuation]: Q of S waves, 5 or more; 0: they lose nothing");
    if (entry.describing()) return rock;
    if (const auto flaw = flaw_of(rock)) {
        const bool of_constants = is_anisotropic && flaw->key != "density";
        entry.refuse(of_constants ? "stiffness" : flaw->key, flaw->expected);
    }
    return rock;
}

// A row of a profile, from z on.
StatedRock rock_of(const std::vector<double>& row, bool attenuating) {
    StatedRock rock{row[1], row[2], row[3]};
    if (row.size() > 6) return {.density = row[1], .constants = {row.begin() + 2, row.end()}};
    if (attenuating) {
        rock.loss_p = loss_of(row[4]);
        rock.loss_s = loss_of(row[5]);
    }
    return rock;
}

RockProfile read_profile(const Section& entry, const char* key, std::string_view meaning, bool attenuating) {
    RockProfile profile;
    const bool is_anisotropic = std::string_view(key).starts_with("stiffness");
    profile.gradient = std::string_view(key).ends_with("gradient");
    std::vector<std::string> columns{"z", "density"};
    if (is_anisotropic) {
        refuse_loss(entry, key, attenuating);
        for (int i = 0; i < elastic_constants; ++i) columns.push_back(name_of_constant(i));
    } else {
        columns.insert(columns.end(), {"vp", "vs"});
        if (attenuating) columns.insert(columns.end(), {"qp", "qs"});
    }
    const char* units = is_anisotropic ? "m, kg m-3, Pa" : "m, kg m-3, m s-1, m s-1";
    for (const auto& row : entry.rows(key, columns, {meaning, units}))
        profile.rows.push_back({row[0], rock_of(row, attenuating)});
    const auto& rows = profile.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0 && !(rows[i].z < rows[i - 1].z))
            entry.refuse(key,
                         fmt::format("rows from the top down (z is up): row {} at z = {} comes after z = {}",
                                     i + 1, rows[i].z, rows[i - 1].z));
        if (const auto flaw = flaw_of(rows[i].rock))
            entry.refuse(key, fmt::format("in row {} in place of {} = {} {}", i + 1, flaw->key, flaw->value,
                                          flaw->expected));
    }
    if (profile.gradient && rows.size() == 1) entry.refuse(key, "two rows or more");
    return profile;
}

RockGridOptions read_grid(const Section& entry, bool attenuating) {
    RockGridOptions grid;
    grid.attenuating = attenuating;
    grid.file = entry.path(
        "grid", {},
        {"NetCDF file with density (or rho) and vp, vs or lambda, mu, or c11 to c66 of anisotropic rock, on "
         "axes x, y and z or on z alone, all with their units (m or km); with [attenuation] also qp and qs, "
         "without a unit (0: nothing is lost); linear between points (1/Q)",
         "", "", "none"});
    grid.nearest = entry.choice("outside", "refused", {"refused", "nearest"},
                                {"elements beyond the edges of the grid are refused, or take the values of "
                                 "the nearest edge"}) == "nearest";
    return grid;
}

RockEntry read_entry(const Section& entry, bool attenuating) {
    RockEntry rock;
    rock.place = entry.place("group");
    rock.groups = read_groups(entry);
    const bool all = entry.describing();
    const bool constant = std::ranges::any_of(constant_keys, [&](const char* key) { return entry.has(key); });
    const auto kinds = (constant ? 1 : 0) +
                       std::ranges::count_if(varied_keys, [&](const char* key) { return entry.has(key); });
    if (!all && kinds != 1)
        entry.refuse("",
                     "in each [[material.rock]] one of: density with vp and vs (or lambda and mu, or "
                     "stiffness), layers, gradient, stiffness_layers, stiffness_gradient, grid");
    if (entry.has("outside") && !entry.has("grid")) entry.refuse("outside", "the key grid next to it");
    if (constant || all) rock.what = read_constant(entry, attenuating);
    if (entry.has("layers") || all)
        rock.what =
            read_profile(entry, "layers",
                         "layers from the top down, each with the z of its top (z is up: negative "
                         "below the surface); the first layer also fills all that lies above it; with "
                         "[attenuation] two columns more: qp and qs (0: nothing is lost)",
                         attenuating);
    if (entry.has("gradient") || all)
        rock.what = read_profile(entry, "gradient",
                                 "rows from the top down, between which all three are linear in z; beyond "
                                 "the outermost rows their values hold; with [attenuation] two columns "
                                 "more: qp and qs, between which 1/Q is linear",
                                 attenuating);
    if (entry.has("stiffness_layers") || all)
        rock.what = read_profile(
            entry, "stiffness_layers",
            "as layers, of anisotropic rock: the 21 constants of stiffness behind the density", attenuating);
    if (entry.has("stiffness_gradient") || all)
        rock.what = read_profile(entry, "stiffness_gradient",
                                 "as gradient, of anisotropic rock: the 21 constants of stiffness behind the "
                                 "density",
                                 attenuating);
    if (entry.has("grid") || all) rock.what = read_grid(entry, attenuating);
    return rock;
}

// A group is made of one rock.
void refuse_second(const Section& entry, const RockEntry& rock, const RockEntry& earlier) {
    if (rock.groups.empty() && earlier.groups.empty())
        entry.refuse("group", fmt::format("at most one entry without a group; the one at {} has none either",
                                          earlier.place));
    for (const std::int64_t group : rock.groups)
        if (std::ranges::find(earlier.groups, group) != earlier.groups.end())
            entry.refuse("group", fmt::format("groups that no other entry names; the one at {} names {}",
                                              earlier.place, group));
}

}  // namespace

std::shared_ptr<const Attenuation> read_attenuation(const Section& section) {
    if (!section.describing() && !section.has("band") && !section.has("mechanisms") &&
        !section.has("reference_frequency"))
        return nullptr;
    constexpr double tolerated = 0.05;
    AttenuationOptions options;
    const auto band = section.numbers(
        "band", 2,
        {"the section makes rock attenuate waves; lowest and highest frequency of the band in which "
         "their Q is constant",
         "Hz", "Käser et al. 2007, doi:10.1111/j.1365-246X.2006.03193.x"});
    if (!section.describing()) {
        if (band.empty() || !(band[0] > 0.0 && band[1] >= 1.01 * band[0] && band[1] < 1e9))
            section.refuse("band", "two frequencies above 0, the lower one first");
        options.lowest = band[0];
        options.highest = band[1];
    } else {
        options.lowest = 0.1;
        options.highest = 10.0;
    }
    options.mechanisms =
        section.integer("mechanisms", 3, {1, 8},
                        {"by which the stress relaxes: 6 unknowns each; 3 fit Q over two decades within "
                         "4 %, 4 within 2 %",
                         "", "Emmerich & Korn 1987, doi:10.1190/1.1442386"});
    options.reference = std::sqrt(options.lowest * options.highest);
    if (section.has("reference_frequency") || section.describing())
        options.reference =
            section.number("reference_frequency", std::nullopt, {1e-9, 1e9},
                           {"frequency at which waves have the speeds that rock is given; if not given, "
                            "the middle of the band on a logarithmic scale",
                            "Hz", "", "none"});
    auto attenuation = std::make_shared<const Attenuation>(options);
    if (!section.describing() && !(attenuation->error() <= tolerated))
        section.refuse(
            "band",
            fmt::format("a band in which {} mechanism{} fit{} a constant Q within {:.0f} % "
                        "(here {:.1f} %): a narrower one, or more mechanisms",
                        options.mechanisms, options.mechanisms == 1 ? "" : "s",
                        options.mechanisms == 1 ? "s" : "", 100.0 * tolerated, 100.0 * attenuation->error()));
    return attenuation;
}

RockOptions read_rock(const Section& section, std::shared_ptr<const Attenuation> attenuation) {
    RockOptions options;
    options.attenuation = section.describing() ? nullptr : std::move(attenuation);
    options.place = section.place("");
    options.average =
        section.choice("average", "element", {"element", "centre"},
                       {"what an element is made of: the mean over it (arithmetic for the density, harmonic "
                        "for the shear and bulk moduli), or the rock at its centre",
                        "", "Moczo et al. 2002, doi:10.1785/0120010167"}) == "element";
    options.gravity = section.number("gravity", base::gravity, {1e-6, 1e3},
                                     {"acceleration of gravity at sea surfaces", "m s-2"});
    options.unusual = section.boolean("unusual", false,
                                      {"true: densities and speeds that no ground has are meant; else what "
                                       "is out by a thousand is refused"});
    for (const Section& entry : section.sections("rock")) {
        RockEntry rock = read_entry(entry, options.attenuation != nullptr);
        for (const RockEntry& earlier : options.rock) refuse_second(entry, rock, earlier);
        options.rock.push_back(std::move(rock));
    }
    if (options.rock.empty())
        section.refuse("rock", "tables [[material.rock]], which say what the mesh is made of");
    return options;
}

std::vector<std::string> input_files(const RockOptions& options) {
    std::vector<std::string> files;
    for (const RockEntry& entry : options.rock)
        if (const auto* grid = std::get_if<RockGridOptions>(&entry.what)) files.push_back(grid->file);
    return files;
}

}  // namespace groundswell::quake
