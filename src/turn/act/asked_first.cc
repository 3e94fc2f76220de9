#include "turn/act/asked_first.h"

#include <algorithm>
#include <set>

#include "base/quoted_text.h"

namespace alfred {
namespace {

using Entities = std::set<EntityNo>;

void add(const Scene& scene, const Json& value, Entities& out) {
  if (const JsonArray* list = value.if_array())
    for (const Json& one : *list) add(scene, one, out);
  if (const JsonString* text = value.if_string())
    if (const EntityNo entity = scene.state().registry.find(std::string_view(*text));
        entity != kNoEntity)
      out.insert(entity);
}

void add_filters(const Scene& scene, const JsonObject& params, std::string_view name,
                 Entities& out) {
  const Json* filters = params.if_contains(name);
  const JsonArray* list = filters == nullptr ? nullptr : filters->if_array();
  if (list == nullptr) return;
  for (const Json& filter : *list)
    if (const JsonObject* one = filter.if_object())
      if (const Json* value = one->if_contains("value")) add(scene, *value, out);
}

// The rows a call names to change or delete, not those it links to.
Entities named_by(const Scene& scene, const JsonObject& params) {
  Entities out;
  add_filters(scene, params, "filters", out);
  add_filters(scene, params, "or_filters", out);
  const Json* data = params.if_contains("data");
  if (data == nullptr) return out;
  const auto add_row = [&](const Json& row) {
    const JsonObject* object = row.if_object();
    if (object == nullptr) return;
    for (const char* name : {"ref", "_ref", "id"})
      if (const Json* value = object->if_contains(name)) add(scene, *value, out);
  };
  if (const JsonArray* rows = data->if_array())
    for (const Json& row : *rows) add_row(row);
  else
    add_row(*data);
  return out;
}

// The user was asked: the step is one of a plan that waited for their word.
bool was_asked(const Scene& scene, std::uint32_t step) {
  const std::optional<Pending>& resumed = scene.turn().resumed;
  if (!resumed || !resumed->plan) return false;
  const std::string& id = scene.turn().plan->steps[step].id;
  return std::ranges::any_of(resumed->plan->steps, [&](const Step& one) { return one.id == id; });
}

}  // namespace

Result<void> check_call_asked_first(const Scene& scene, std::uint32_t step,
                                    const JsonObject& params) {
  if (was_asked(scene, step)) return {};
  const Entities named = named_by(scene, params);
  for (const ResolvedMention& mention : scene.turn().mentions) {
    if (mention.confidence != MentionConfidence::medium) continue;
    for (const std::string& ref : mention.resolved)
      if (named.contains(scene.state().registry.find(ref)))
        return fail(ErrorCode::plan,
                    quoted_text(mention.raw_text) +
                        " was only found by search, not shown to the user. End the step with "
                        "ask_user and name what is to be changed.",
                    "filters", {"ask_user"});
  }
  return {};
}

}  // namespace alfred
