#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/cli/proxy/limits.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/cli/proxy/sizes.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/simulation/report/progress_line.hpp"

namespace groundswell::cli {

struct ProxyOptions {
    std::string model;
    std::vector<std::string> cells;
    std::vector<int> threads;
    int repeats = 20, spin_up = 3;
    std::string mesh, case_file, compare, json, compilers, device = "cpu";
    std::vector<std::string> set;
};

/// Request for timing, read from the command line.
struct ProxyPlan {
    ProxyModel* model;
    std::string name;  // of the model
    std::shared_ptr<const simulation::Case> run;
    std::vector<ProxySize> sizes;
    std::vector<int> threads;
    std::unique_ptr<exec::Device> device;  // null: the processor
};

/// Everything that is measured, in the order in which it comes.
class ProxyMeasurement {
public:
    ProxyMeasurement(const parallel::Environment& environment, const ProxyOptions& options, ProxyPlan plan);

    /// The result in JSON. Collective.
    nlohmann::json all();
    /// The same for people.
    std::string text(const nlohmann::json& result) const;

private:
    void one(const ProxyTask& task, const ProxySize& size);
    bool fits(const ProxyTask& task, const ProxySize& size);
    nlohmann::json findings() const;
    void say(const std::string& text) {
        if (progress_.is_due()) progress_.show(text);
    }

    const parallel::Environment& environment_;
    const ProxyOptions& options_;
    ProxyPlan plan_;
    ProxyUnits units_;
    LimitSamples limits_;
    simulation::ProgressLine progress_;
    nlohmann::json rows_ = nlohmann::json::array(), checks_ = nlohmann::json::array(),
                   differences_ = nlohmann::json::array(), left_out_ = nlohmann::json::array(), memory_, run_,
                   comparison_;
    double most_cells_ = 0.0;
};

}  // namespace groundswell::cli
