#include "groundswell/output/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "groundswell/base/errors.hpp"
#include "support/output_dataset.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::output;

std::string refusal_of(const Schema& schema) {
    try {
        schema.validate("file.nc");
        return "";
    } catch (const base::Refusal& refusal) {
        return refusal.what();
    }
}

TEST(Schema, TellsRowsAndWidthWithoutTheRecordDimension) {
    const Schema schema = dataset::schema();
    const Variable& energy = *schema.find("energy");
    EXPECT_TRUE(schema.is_record(energy));
    EXPECT_EQ(schema.rows(energy), dataset::faces);
    EXPECT_EQ(schema.row_width(energy), dataset::bins);
    EXPECT_EQ(schema.rows(*schema.find("time")), 1);
    EXPECT_EQ(schema.rows(*schema.find("mesh")), 1);
    EXPECT_EQ(schema.row_width(*schema.find("mesh_face_nodes")), dataset::corners);
}

TEST(Schema, RefusesWhatNoFileCanHold) {
    EXPECT_EQ(refusal_of(dataset::schema()), "");
    Schema schema = dataset::schema();
    schema.variables.push_back(schema.variables.back());
    EXPECT_EQ(refusal_of(schema), "file.nc: variable = energy: expected a name that is used once");
    schema = dataset::schema();
    schema.dimensions[1].length = 0;
    EXPECT_EQ(refusal_of(schema), "file.nc: dimension nFace = 0: expected a positive length");
    schema = dataset::schema();
    schema.variables[4].dimensions = {"nFace", "time"};
    EXPECT_NE(refusal_of(schema), "");
    schema = dataset::schema();
    schema.variables[4].dimensions = {"time", "nCell"};
    EXPECT_NE(refusal_of(schema), "");
    schema = dataset::schema();
    schema.variables[0].type = Type::float32;
    EXPECT_NE(refusal_of(schema), "");
}

TEST(Schema, DifferenceIgnoresOrderAndProvenance) {
    Schema one = dataset::schema(), two = dataset::schema();
    std::swap(two.variables[3], two.variables[4]);
    std::swap(two.dimensions[1], two.dimensions[2]);
    two.attributes[1] = {"history", "made by somebody else"};
    two.attributes.push_back({"groundswell_build", "another compiler"});
    EXPECT_FALSE(first_difference(one, two).has_value());
    two.attributes[0] = {"title", "another"};
    EXPECT_EQ(first_difference(one, two)->key, "attribute title");
    two = one;
    two.variables.pop_back();
    EXPECT_EQ(first_difference(one, two)->key, "variable energy");
}

TEST(Attribute, NanEqualsNanButTypesDiffer) {
    EXPECT_EQ(Attribute("a", std::nan("")), Attribute("a", std::nan("")));
    EXPECT_FALSE(Attribute("a", 1.0) == Attribute("a", 1.0f));
    EXPECT_FALSE(Attribute("a", 1.0) == Attribute("a", 2.0));
}

}  // namespace
