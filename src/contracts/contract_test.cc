#include "contracts/contract.h"

#include <gtest/gtest.h>

#include "contracts/act_answer.h"
#include "contracts/summarize_answer.h"
#include "contracts/think_answer.h"
#include "contracts/understand_answer.h"

namespace alfred {
namespace {

constexpr std::string_view kUnderstand =
    R"({"processed_message":"list","constraint_snapshot":{"reset_goal":false},)"
    R"("entity_curation":{"clear_all":false},"quick_mode":true,"quick_mode_confidence":"high",)"
    R"("ambiguity":"clear","conversation_phase":"exploring"})";

Error answer_error(std::string_view text) {
  const Result<Json> json = answer_json(text, JsonLimits::model_output());
  EXPECT_FALSE(json) << text;
  return json ? Error{} : json.error();
}

template <class T>
Result<T> read(Node node, std::string_view text) {
  DecodeNotes notes;
  return read_answer<T>(*contract_of(node), text, notes);
}

TEST(Contract, A1_nothing_is_no_answer) {
  for (const char* text : {"", "  \n\t ", "\xEF\xBB\xBF"})
    EXPECT_EQ(answer_error(text).code, ErrorCode::answer_empty);
}

TEST(Contract, A2_prose_is_refused_without_repeating_it) {
  const Error error = answer_error("Sure, here are your books!");
  EXPECT_EQ(error.code, ErrorCode::json);
  EXPECT_EQ(error.message.find("books"), std::string::npos);
  EXPECT_NE(error.message.find("contract"), std::string::npos);
}

TEST(Contract, A3_one_code_fence_is_taken_off) {
  for (const char* text :
       {"```json\n{\"a\":1}\n```", "```\n{\"a\":1}```", " \n```JSON\n{\"a\":1}\n```\n"})
    EXPECT_EQ(write_json(answer_json(text, JsonLimits::none()).value()), "{\"a\":1}") << text;
}

TEST(Contract, A4_more_than_one_object_or_words_around_it_are_ambiguous) {
  for (const char* text :
       {"Here: {\"a\":1}", "{\"a\":1} done", "{\"a\":1}{\"b\":2}", "{\"a\":1}\n{\"b\":2}",
        "```json\n{\"a\":1}\n```\n```json\n{\"b\":2}\n```", "Look:\n```json\n{\"a\":1}\n```",
        "```json\n{\"a\":1}\n``` there", "```json {\"a\":1}"})
    EXPECT_EQ(answer_error(text).code, ErrorCode::answer_ambiguous) << text;
}

TEST(Contract, A6_what_is_almost_json_is_refused_at_its_byte) {
  for (const char* text :
       {"{\"a\":1,}", "{'a':1}", "{\"a\":NaN}", "{\"a\":1 /* x */}", "{\"a\":Infinity}"}) {
    const Error error = answer_error(text);
    EXPECT_EQ(error.code, ErrorCode::json) << text;
    EXPECT_TRUE(error.path.starts_with("byte ")) << text;
  }
}

TEST(Contract, A7_a_member_named_twice_is_refused) {
  EXPECT_EQ(answer_error(R"({"tool":"db_read","tool":"db_delete"})").code, ErrorCode::json_dupkey);
}

TEST(Contract, A8_depth_and_size_are_bounded) {
  std::string deep = "{\"a\":";
  for (int i = 0; i < 70; ++i) deep += "[";
  EXPECT_EQ(answer_error(deep).code, ErrorCode::limit);
  EXPECT_EQ(answer_error("{\"a\":\"" + std::string(300'000, 'x') + "\"}").code, ErrorCode::limit);
}

TEST(Contract, A9_bytes_that_are_no_text_are_refused) {
  EXPECT_EQ(answer_error("{\"a\":\"\xC3\x28\"}").code, ErrorCode::utf8);
  EXPECT_EQ(answer_error("{\"a\":\"\\ud800\"}").code, ErrorCode::utf8);
}

TEST(Contract, A10_a_byte_order_mark_is_passed_over) {
  EXPECT_TRUE(answer_json("\xEF\xBB\xBF{\"a\":1}", JsonLimits::none()));
  EXPECT_EQ(answer_error("{\"a\":\xE2\x80\xA8 1}").code, ErrorCode::json);
}

TEST(Contract, A11_an_action_the_step_does_not_have_is_refused_with_those_it_has) {
  ActAnswer answer{.action = Action::tool_call, .tool = "db_read", .params = JsonObject{}};
  EXPECT_TRUE(check_act_answer(answer, StepType::read));
  EXPECT_TRUE(check_act_answer(answer, StepType::write));
  for (const StepType type : {StepType::analyze, StepType::generate}) {
    const Result<void> checked = check_act_answer(answer, type);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::action);
    EXPECT_EQ(checked.error().allowed,
              (std::vector<std::string>{"step_complete", "ask_user", "blocked", "fail"}));
  }
  EXPECT_FALSE(read<ActAnswer>(Node::act, R"({"action":"explode"})"));
}

TEST(Contract, A12_a_tool_is_named_exactly) {
  for (const char* tool : {"DB_READ", "db_read ", "db-read", "query", ""}) {
    const ActAnswer answer{.action = Action::tool_call, .tool = tool, .params = JsonObject{}};
    const Result<void> checked = check_act_answer(answer, StepType::read);
    ASSERT_FALSE(checked) << tool;
    EXPECT_EQ(checked.error().code, ErrorCode::tool);
    EXPECT_EQ(checked.error().allowed.size(), 5U);
  }
}

TEST(Contract, A13_an_action_without_its_fields_names_the_one_that_is_missing) {
  const std::vector<std::pair<ActAnswer, std::string>> cases{
      {{.action = Action::tool_call, .params = JsonObject{}}, "tool"},
      {{.action = Action::tool_call, .tool = "db_read"}, "params"},
      {{.action = Action::tool_call, .tool = "db_read", .params = JsonArray{}}, "params"},
      {{.action = Action::step_complete}, "result_summary"},
      {{.action = Action::ask_user}, "question"},
      {{.action = Action::blocked}, "reason_code"},
      {{.action = Action::fail}, "details"},
      {{.action = Action::request_schema}, "subdomain"},
      {{.action = Action::retrieve_step}, "step_id"}};
  for (const auto& [answer, path] : cases) {
    const Result<void> checked = check_act_answer(answer, StepType::read);
    ASSERT_FALSE(checked) << path;
    EXPECT_EQ(checked.error().code, ErrorCode::schema);
    EXPECT_EQ(checked.error().path, path);
  }
}

TEST(Contract, A26_confidence_is_a_number_from_0_to_1) {
  for (const char* confidence : {"7", "\"high\"", "-0.1"}) {
    std::string text(kUnderstand);
    text.replace(
        text.find(R"("reset_goal")"), 0,
        std::string(R"("new_constraints":[{"type":"t","field":"f","value":"v","confidence":)") +
            confidence + "}],");
    const Result<UnderstandAnswer> answer = read<UnderstandAnswer>(Node::understand, text);
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().code, ErrorCode::schema);
    EXPECT_EQ(answer.error().path, "constraint_snapshot.new_constraints[0].confidence");
  }
}

// Each bullet of 001's "what X does not do" is a field that X has not got.
TEST(Contract, R1_what_another_node_owns_is_refused_by_name) {
  EXPECT_TRUE(read<UnderstandAnswer>(Node::understand, kUnderstand));
  for (const Node node :
       {Node::understand, Node::think, Node::act, Node::act_quick, Node::summarize})
    for (const ForeignField& field : contract_of(node)->refused) {
      const Result<void> owned =
          check_owned(*contract_of(node), JsonObject{{field.name, JsonArray{}}});
      ASSERT_FALSE(owned) << field.name;
      EXPECT_EQ(owned.error().path, field.name);
      EXPECT_NE(owned.error().message.find(field.owner), std::string::npos);
      for (const ShapeField& known : contract_of(node)->shape->fields)
        EXPECT_NE(known.name, field.name);
    }
}

TEST(Contract, Seed001UnderstandDoesNotPlanChooseGenerateOrInferGoals) {
  for (const char* field : {"steps", "decision", "artifacts", "tool", "goal", "resolved_id"})
    EXPECT_FALSE(check_owned(*contract_of(Node::understand), JsonObject{{field, "x"}})) << field;
}
TEST(Contract, Seed001ThinkDoesNotGuessIdentityEnforceOrNormalise) {
  for (const char* field : {"entity_mentions", "constraint_snapshot", "payload", "tool",
                            "data_requirements", "success_criteria", "session_update"})
    EXPECT_FALSE(check_owned(*contract_of(Node::think), JsonObject{{field, "x"}})) << field;
}
TEST(Contract, Seed001ActDoesNotMapIdsOrDecideToPropose) {
  for (const char* field : {"id_mapping", "created_ids", "batch_progress", "decision"})
    EXPECT_FALSE(check_owned(*contract_of(Node::act), JsonObject{{field, "x"}})) << field;
}
TEST(Contract, Seed001SummarizeDoesNotProposeOrKeepTheLedger) {
  for (const char* field : {"next_steps", "entities_created", "steps_completed", "entity_curation"})
    EXPECT_FALSE(check_owned(*contract_of(Node::summarize), JsonObject{{field, "x"}})) << field;
}

// Every property required, nothing else allowed, everywhere.
void check_subset(const Json& schema, const std::string& path) {
  if (!schema.is_object()) return;
  const JsonObject& object = schema.get_object();
  for (const char* bound : {"default", "minimum", "maximum", "maxLength", "pattern", "$ref"})
    EXPECT_FALSE(object.contains(bound)) << path;
  if (const Json* properties = object.if_contains("properties")) {
    EXPECT_EQ(object.at("additionalProperties"), Json(false)) << path;
    EXPECT_EQ(object.at("required").as_array().size(), properties->as_object().size()) << path;
    for (const auto& property : properties->as_object())
      check_subset(property.value(), path + "." + std::string(property.key()));
  }
  if (const Json* items = object.if_contains("items")) check_subset(*items, path + "[]");
  if (const Json* any = object.if_contains("anyOf"))
    for (const Json& one : any->as_array()) check_subset(one, path);
}

TEST(Contract, R3_the_schema_is_in_the_subset_that_all_providers_take) {
  for (const Node node :
       {Node::understand, Node::think, Node::act, Node::act_quick, Node::summarize})
    check_subset(json_schema(*contract_of(node)->shape), std::string(name_of(node)));
}

TEST(Contract, R3_refs_and_actions_become_enums) {
  const SchemaOptions options{.refs = {"book_1", "gen_book_1"}, .actions = {"step_complete"}};
  const Json act = json_schema(shape_of<ActAnswer>(), options);
  EXPECT_EQ(write_json(act.at("properties").at("action").at("enum")), R"(["step_complete"])");
  const Json understand = json_schema(shape_of<UnderstandAnswer>(), options);
  EXPECT_EQ(write_json(understand.at("properties")
                           .at("entity_curation")
                           .at("properties")
                           .at("drop")
                           .at("items")
                           .at("enum")),
            R"(["book_1","gen_book_1"])");
}

TEST(Contract, the_docs_name_every_field_of_every_node) {
  const std::string docs = contracts_markdown();
  for (const Node node :
       {Node::understand, Node::think, Node::act, Node::act_quick, Node::summarize})
    for (const ShapeField& field : contract_of(node)->shape->fields)
      EXPECT_NE(docs.find("| `" + std::string(field.name) + "` |"), std::string::npos)
          << field.name;
}

}  // namespace
}  // namespace alfred
