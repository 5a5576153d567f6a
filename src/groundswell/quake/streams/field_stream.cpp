#include "groundswell/quake/streams/field_stream.hpp"

#include <fmt/format.h>

#include <string_view>

namespace groundswell::quake {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '&')
            result += "&amp;";
        else if (letter == '<')
            result += "&lt;";
        else if (letter == '>')
            result += "&gt;";
        else if (letter == '"')
            result += "&quot;";
        else
            result += letter;
    }
    return result;
}

}  // namespace

std::string xdmf_of(const XdmfParts& parts, std::span<const double> times) {
    const std::string file = escaped(parts.file);
    const auto item = [&](const char* type, int precision, const std::string& dimensions,
                          const std::string& name) {
        return fmt::format(
            R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:/{}</DataItem>)",
            type, precision, dimensions, file, name);
    };
    const auto& [topology, corners, corners_of_cell] = parts.cells;
    const std::int64_t cells = parts.count;
    std::string mesh =
        fmt::format("        <Topology TopologyType=\"{}\" NumberOfElements=\"{}\">\n", topology, cells);
    mesh += fmt::format("          {}\n        </Topology>\n        <Geometry GeometryType=\"X_Y_Z\">\n",
                        item("Int", 4, fmt::format("{} {}", cells, corners_of_cell), corners));
    for (const char* axis : {"x", "y", "z"})
        mesh += fmt::format("          {}\n",
                            item("Float", 8, std::to_string(parts.nodes), std::string("mesh_node_") + axis));
    mesh += "        </Geometry>\n";
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
        "    <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        escaped(parts.name));
    for (std::size_t record = 0; record < times.size(); ++record) {
        text += fmt::format(
            "      <Grid Name=\"record {}\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n{}", record,
            times[record], mesh);
        for (const std::string& field : parts.fields)
            text += fmt::format(
                "        <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Cell\">\n          "
                "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{}\">\n            <DataItem Format=\"XML\" "
                "NumberType=\"Int\" Precision=\"8\" Dimensions=\"3 2\">{} 0 1 1 1 {}</DataItem>\n            "
                "{}\n          </DataItem>\n        </Attribute>\n",
                field, cells, record, cells,
                item("Float", 4, fmt::format("{} {}", times.size(), cells), field));
        text += "      </Grid>\n";
    }
    return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace groundswell::quake
