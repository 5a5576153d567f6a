#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/halo/exchange.hpp"
#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/initial/options.hpp"
#include "groundswell/quake/layer/layer.hpp"
#include "groundswell/quake/mesh/options.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/rock/options.hpp"
#include "groundswell/quake/source/options.hpp"
#include "groundswell/quake/streams/sections.hpp"

/// A case of the earthquake model: one plain struct for each section of the case file, which stands beside those who follow it.
/// Each of them gets its own; the whole is known to the run alone.
namespace groundswell::quake {

struct Case : ProjectedCase {
    MeshSection mesh;
    SolverSection solver;
    RockOptions rock;
    InitialOptions initial;
    SourceOptions source;
    std::optional<FaultOptions> fault;            ///< none: what the mesh has of faults holds together
    std::optional<PlasticityOptions> plasticity;  ///< none: rock is elastic, or viscoelastic
    std::optional<LayerOptions> layer;            ///< none: the absorbing boundary alone absorbs
    halo::ExchangeOptions halo;
    std::vector<ReceiversSection> receivers;
    std::vector<SurfaceSection> surfaces;
    std::vector<VolumeSection> volumes;
    std::vector<FaultMapSection> fault_maps;
    std::vector<FaultReceiversSection> fault_receivers;
    std::optional<RuptureSeriesSection> rupture_series;
    std::optional<EnergySection> energies;

    std::vector<simulation::Interval> intervals() const override;
    std::vector<std::string> input_files() const override;
    std::vector<std::string> about_input() const override;
};

/// Reads the keys of a case of the earthquake model. `output_folder`: of the command line, or empty.
std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader,
                                            const std::string& output_folder);

}  // namespace groundswell::quake
