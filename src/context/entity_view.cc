#include "context/entity_view.h"

#include "base/json/json_number.h"
#include "base/json/json_text.h"
#include "context/shown_text.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

class EntityWriter {
 public:
  explicit EntityWriter(const RefRegistry& registry)
      : registry_(registry), pieces_(registry.keys()) {}

  std::string label(const EntitySnapshot& one) {
    return shown_label(registry_, one.entity, pieces_);
  }

  std::string curation(const EntityTiers& tiers) {
    std::string out;
    table(out, "### Active (this session)\n", "Last referenced", tiers.active,
          [](const EntitySnapshot& one) {
            std::string when = "Turn " + std::to_string(one.turn_last_ref);
            if (!one.last_referenced_phrase.empty())
              when += ": \"" + one.last_referenced_phrase + "\"";
            return when;
          });
    table(out, "### Generated, not saved\n", "Made", tiers.generated,
          [](const EntitySnapshot& one) { return "Turn " + std::to_string(one.turn_created); });
    table(out, "### Retained\n", "Reason", tiers.retained,
          [](const EntitySnapshot& one) { return one.retention_reason; });
    table(out, "### Background (perhaps relevant)\n", "Relevance", tiers.background,
          [](const EntitySnapshot& one) { return one.relevance_reason; });
    return out;
  }

  void list(std::string& out, std::string_view title,
            const std::vector<const EntitySnapshot*>& tier, EntitySight sight) {
    if (tier.empty() || sight == EntitySight::nothing) return;
    if (!out.empty()) out += "\n";
    out += title;
    for (const EntitySnapshot* const entity : tier) {
      const EntitySnapshot& one = *entity;
      out += "- ";
      if (sight != EntitySight::labels) out.append("`").append(one.ref).append("`");
      if (sight == EntitySight::refs_and_labels || sight == EntitySight::full) {
        append_shown_line(out += ": ", label(one));
        append_status(out.append(" (").append(one.type).append(", "), one);
        out.append(alias(one)) += ')';
      }
      if (sight == EntitySight::labels) append_shown_line(out, label(one));
      if (sight == EntitySight::labels || sight == EntitySight::refs)
        out.append(" (").append(one.type).append(")");
      out += '\n';
    }
  }

  void append_facts(std::string& out, const EntitySnapshot& one, EntitySight sight) {
    const auto text = [&](std::string_view name, std::string_view value) {
      append_json_name(out, name);
      append_json_string(out, value);
    };
    out += '{';
    if (sight != EntitySight::labels) text("ref", one.ref);
    text("type", one.type);
    if (sight != EntitySight::refs) text("label", label(one));
    text("status", status_name(one.status));
    if (registry_.origin(one.entity) == RefOrigin::user) text("origin", "user");
    append_json_name(out, "turn_last_ref");
    append_json_number(out, std::int64_t{one.turn_last_ref});
    out += '}';
  }

  // R4.
  void deleted(std::string& out) {
    const RefRegistry& registry = registry_;
    std::string lines;
    for (EntityNo entity = 0; entity < registry.size(); ++entity) {
      const bool is_new = registry.turn_last_referenced(entity) + 1 >= registry.turn();
      if (!is_new || registry.status(entity) != RefStatus::deleted ||
          registry.origin(entity) != RefOrigin::user)
        continue;
      lines += "- `" + std::string(registry.ref(entity).text()) +
               "`: " + shown_line(shown_label(registry, entity, pieces_)) + "\n";
    }
    if (lines.empty()) return;
    if (!out.empty()) out += "\n";
    out += "### Deleted by the user\n" + lines;
  }

 private:
  void append_status(std::string& out, const EntitySnapshot& one) const {
    out += status_name(one.status);
    if (registry_.origin(one.entity) == RefOrigin::user) out += ", by the user";
  }

  // "was gen_book_1", for who still speaks of it so. Only what was made here has such a name.
  std::string alias(const EntitySnapshot& one) const {
    if (one.status == RefStatus::read || one.status == RefStatus::linked) return "";
    const RefEntry entry = registry_.entry(one.entity);
    return entry.alias ? ", was `" + std::string(entry.alias->text()) + "`" : "";
  }

  template <class Last>
  void table(std::string& out, std::string_view title, std::string_view last_column,
             const std::vector<EntitySnapshot>& tier, Last last) {
    if (tier.empty()) return;
    if (!out.empty()) out += "\n";
    out.append(title).append("| Ref | Type | Label | Status | ").append(last_column);
    out += " |\n|---|---|---|---|---|\n";
    for (const EntitySnapshot& one : tier) {
      out.append("| ").append(one.ref).append(" | ").append(one.type).append(" | ");
      out.append(shown_cell(label(one))).append(" | ");
      append_status(out, one);
      out.append(" | ").append(shown_cell(last(one))).append(" |\n");
    }
  }

  const RefRegistry& registry_;
  KeyPieces pieces_;
};

std::string listed_by(EntityWriter& writer, const ListedEntities& listed, const Sight& sight) {
  std::string out;
  writer.list(out, "### In play\n", listed.active, sight.active);
  writer.list(out, "### Generated, not saved\n", listed.generated, sight.generated);
  writer.list(out, "### Long term memory (no data; read it again if you need it)\n",
              listed.retained, sight.retained);
  return out;
}

std::vector<const EntitySnapshot*> all_of(const std::vector<EntitySnapshot>& tier) {
  std::vector<const EntitySnapshot*> out;
  out.reserve(tier.size());
  for (const EntitySnapshot& one : tier) out.push_back(&one);
  return out;
}

constexpr std::string_view kNoEntities = "*No entities yet.*\n";

}  // namespace

std::string format_entities(const EntityViewInput& input, Node node) {
  const EntityTiers& tiers = input.tiers;
  EntityWriter writer(input.registry);
  std::string out =
      node == Node::understand
          ? writer.curation(tiers)
          : listed_by(writer,
                      {all_of(tiers.active), all_of(tiers.generated), all_of(tiers.retained)},
                      sight_of(node));
  if (node == Node::understand || node == Node::think) writer.deleted(out);
  return out.empty() ? std::string(kNoEntities) : out;
}

std::string format_listed(const RefRegistry& registry, const ListedEntities& listed,
                          const Sight& sight) {
  EntityWriter writer(registry);
  std::string out = listed_by(writer, listed, sight);
  return out.empty() ? std::string(kNoEntities) : out;
}

std::string format_do_not_read(const EntityViewInput& input) {
  std::string out;
  for (const auto* tier : {&input.tiers.active, &input.tiers.generated})
    for (const EntitySnapshot& one : *tier)
      if (input.with_data.contains(one.ref)) out += (out.empty() ? " `" : ", `") + one.ref + "`";
  return out.empty() ? "" : "\n**DO NOT re-read:**" + out + "\n";
}

void append_entity_facts(std::string& out, const EntityViewInput& input, Node node) {
  const Sight& sight = sight_of(node);
  EntityWriter writer(input.registry);
  const auto add = [&](std::string_view name, const std::vector<EntitySnapshot>& tier,
                       EntitySight how) {
    if (how == EntitySight::nothing) return;
    append_json_name(out, name);
    out += '[';
    for (const EntitySnapshot& one : tier) {
      if (&one != &tier.front()) out += ',';
      writer.append_facts(out, one, how);
    }
    out += ']';
  };
  out += '{';
  add("active", input.tiers.active, sight.active);
  add("generated", input.tiers.generated, sight.generated);
  add("retained", input.tiers.retained, sight.retained);
  add("background", input.tiers.background,
      sight.background ? EntitySight::full : EntitySight::nothing);
  out += '}';
}

Json entity_facts(const EntityViewInput& input, Node node) {
  std::string out;
  append_entity_facts(out, input, node);
  return parse_json(out, JsonLimits::none()).value();
}

}  // namespace alfred
