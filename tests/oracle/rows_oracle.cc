#include "oracle/rows_oracle.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <set>

#include "oracle/prose_oracle.h"
#include "oracle/table_rules.h"

namespace alfred::oracle {
namespace {

struct Edit {
  std::size_t from = 0;
  std::size_t upto = 0;
  std::string with;
};

struct RowSeen {
  ModelEntity* entity = nullptr;
  const NodeString* label = nullptr;
  std::size_t label_rank = 99;
  std::vector<std::optional<ModelKey>> key_parts;
};

// One walk over the tree. The first registers keys and hides nothing; the second, when every key is
// known, hides and writes.
class Walk {
 public:
  Walk(TableRules& rules, const Tree& tree, std::string_view json, const RowsOptions& options,
       bool writes)
      : rules_(rules),
        registry_(rules.registry()),
        tree_(tree),
        json_(json),
        options_(options),
        writes_(writes),
        pieces_(registry_) {}

  std::optional<OracleError> run(const std::string& table) {
    Rules* rules = nullptr;
    bool is_good = settle(rules_.of_table(table, rules));
    for (const Node& value : tree_.values) {
      if (!is_good) break;
      const bool holds_rows = value.kind == Node::Kind::object || value.kind == Node::Kind::array;
      is_good = holds_rows ? rows(*rules, value, false) : misfit(value);
    }
    return error_;
  }

  std::string out() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.from < b.from; });
    std::string out;
    std::size_t copied = 0;
    for (const Edit& edit : edits_) {
      out += json_.substr(copied, edit.from - copied);
      out += edit.with;
      copied = edit.upto;
    }
    out += json_.substr(copied);
    return out;
  }

 private:
  bool stop(ErrorCode code, std::optional<std::size_t> offset) {
    if (!error_) error_ = OracleError{code, offset};
    return false;
  }
  bool settle(std::optional<ErrorCode> code) { return !code || stop(*code, std::nullopt); }
  bool stop_at_fault() { return stop(tree_.fault->code, tree_.fault->offset); }
  // A value that cannot stand here; or no value at all, which is worse.
  bool misfit(const Node& node) {
    return node.kind == Node::Kind::nothing ? stop_at_fault() : stop(ErrorCode::schema, node.from);
  }

  bool rows(Rules& rules, const Node& node, bool takes_others) {
    if (node.kind == Node::Kind::object) return row(rules, node);
    for (const Node& element : node.elements) {
      const bool is_row = element.kind == Node::Kind::object;
      const bool is_list = element.kind == Node::Kind::array && takes_others;
      if (!is_row && !takes_others) return misfit(element);
      if (!(is_row || is_list ? rows(rules, element, takes_others) : plain(element))) return false;
    }
    return node.is_whole || stop_at_fault();
  }

  bool row(Rules& rules, const Node& node) {
    RowSeen seen;
    seen.key_parts.resize(rules.key.size());
    std::vector<std::string> names;
    for (const Node::Member& member : node.members) {
      const std::string& name = member.name.text;
      const bool may_hide = names_key(name, pieces_) || name.find("lit_") != std::string::npos;
      if (may_hide && !mask(member.name)) return false;
      if (std::find(names.begin(), names.end(), name) != names.end())
        return stop(ErrorCode::json_dupkey, member.name.from);
      names.push_back(name);
      if (!member.has_colon) return stop_at_fault();
      if (!column(rules, name, member.value, seen)) return false;
    }
    if (!node.is_whole) return stop_at_fault();
    if (rules.inserts_ref && !insert_ref(rules, node, seen, names)) return false;
    return label(seen);
  }

  bool column(Rules& rules, const std::string& name, const Node& value, RowSeen& seen) {
    Column* met = nullptr;
    if (!settle(rules_.column(rules, name, met))) return false;
    Column& column = *met;
    const bool has_inside = value.kind == Node::Kind::object || value.kind == Node::Kind::array;
    switch (column.use) {
      case Column::Use::own_key:
      case Column::Use::link: return key(rules, column, value, seen);
      case Column::Use::nested:
        if (value.kind == Node::Kind::null) return value.is_whole || stop_at_fault();
        if (!has_inside) return misfit(value);
        return rows(*column.rows, value, false);
      case Column::Use::open:
        if (!has_inside) return plain_column(column, value, seen);
        if (column.rows == nullptr && !settle(rules_.of_member(rules, name, column.rows)))
          return false;
        return rows(*column.rows, value, true);
      case Column::Use::copy: return plain_column(column, value, seen);
    }
    return false;
  }

  // Nothing in `found` when the value is null.
  bool read_key(const Node& value, std::optional<ModelKey>& found) {
    switch (value.kind) {
      case Node::Kind::nothing: return stop_at_fault();
      case Node::Kind::null: return value.is_whole || stop_at_fault();
      case Node::Kind::string:
        if (!value.is_whole) return stop_at_fault();
        found = ModelKey{
            is_uuid(value.string.text) ? KeyKind::uuid : KeyKind::text, value.string.text, {}};
        return true;
      case Node::Kind::number: {
        if (!value.is_whole) return stop_at_fault();
        const std::string_view raw = json_.substr(value.from, value.upto - value.from);
        std::int64_t number = 0;
        const auto [end, fault] = std::from_chars(raw.begin(), raw.end(), number);
        if (fault != std::errc() || end != raw.end()) break;
        found = ModelKey{KeyKind::integer, std::to_string(number), {}};
        return true;
      }
      default: break;
    }
    return stop(ErrorCode::key_type, value.from);
  }
  static bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < 36; ++i) {
      const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
      const std::string_view fits = is_dash ? "-" : "0123456789abcdef";
      if (fits.find(text[i]) == std::string_view::npos) return false;
    }
    return true;
  }

  bool key(Rules& rules, Column& column, const Node& value, RowSeen& seen) {
    std::optional<ModelKey> found;
    if (!read_key(value, found)) return false;
    if (!found) return true;
    const bool is_own = column.use == Column::Use::own_key;
    if (is_own && !settle(rules_.settle_type(rules))) return false;
    ModelEntity* entity =
        is_own ? registry_.read(rules.type, *found) : registry_.linked(column.type, *found);
    if (entity == nullptr) return stop(ErrorCode::limit, std::nullopt);
    if (is_own) seen.entity = entity;
    if (column.key_part) seen.key_parts[*column.key_part] = *found;
    edits_.push_back({value.from, value.upto, "\"" + entity->ref + "\""});
    return true;
  }

  bool plain_column(Column& column, const Node& value, RowSeen& seen) {
    if (column.key_part && !read_key(value, seen.key_parts[*column.key_part])) return false;
    if (value.kind == Node::Kind::string && value.is_whole && !value.string.text.empty() &&
        column.label_rank < seen.label_rank) {
      seen.label = &value.string;
      seen.label_rank = column.label_rank;
    }
    return plain(value);
  }

  bool plain(const Node& node) {
    if (!copied(node)) return false;
    const auto repeated = first_repeated(node);
    return !repeated || stop(ErrorCode::json_dupkey, *repeated);
  }

  // Where the first member stands that its object names a second time.
  static std::optional<std::size_t> first_repeated(const Node& node) {
    for (const Node& element : node.elements)
      if (const auto found = first_repeated(element)) return found;
    std::set<std::string> names;
    for (const Node::Member& member : node.members) {
      if (!names.insert(member.name.text).second) return member.name.from;
      if (const auto found = first_repeated(member.value)) return found;
    }
    return std::nullopt;
  }

  bool copied(const Node& node) {
    if (node.kind == Node::Kind::string && node.is_whole && !mask(node.string)) return false;
    for (const Node& element : node.elements)
      if (!copied(element)) return false;
    for (const Node::Member& member : node.members)
      if (!mask(member.name) || !copied(member.value)) return false;
    return node.is_whole || stop_at_fault();
  }

  bool mask(const NodeString& string) {
    if (!writes_ || !options_.masks_prose) return true;
    for (const HiddenSpan& span : hidden_spans(string.text, pieces_)) {
      const auto name =
          registry_.literal(std::string_view(string.text).substr(span.from, span.upto - span.from));
      if (!name) return stop(ErrorCode::limit, std::nullopt);
      edits_.push_back({string.raw_at[span.from], string.raw_at[span.upto], *name});
    }
    return true;
  }

  // The ref stands behind all columns of the row's own that could be taken for it.
  bool insert_ref(Rules& rules, const Node& node, RowSeen& seen,
                  const std::vector<std::string>& names) {
    std::vector<std::string> places = {"id", "_ref"};
    for (int n = 2; n <= 9999; ++n) places.push_back("_ref" + std::to_string(n));
    std::size_t place = 0;
    bool has_own = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool is_there = std::find(names.begin(), names.end(), places[i]) != names.end();
      if (!is_there || rules.declared.contains(places[i])) continue;
      place = i + 1;
      has_own = true;
    }
    while (rules.declared.contains(places.at(place))) ++place;
    const std::size_t at = node.from + 1;
    ModelKey key{KeyKind::composite, {}, {}};
    for (const std::optional<ModelKey>& part : seen.key_parts) {
      if (!part) {
        if (has_own) edits_.push_back({at, at, "\"" + places.at(place) + "\":null,"});
        return true;
      }
      key.parts.push_back(*part);
    }
    if (!settle(rules_.settle_type(rules))) return false;
    seen.entity = registry_.read(rules.type, key.parts.size() == 1 ? key.parts.front() : key);
    if (seen.entity == nullptr) return stop(ErrorCode::limit, std::nullopt);
    edits_.push_back({at, at, "\"" + places.at(place) + "\":\"" + seen.entity->ref + "\","});
    return true;
  }

  bool label(const RowSeen& seen) {
    if (seen.entity == nullptr || seen.label == nullptr || !writes_) return true;
    std::string shown = seen.label->text;
    if (options_.masks_prose) {
      std::vector<HiddenSpan> spans = hidden_spans(shown, pieces_);
      std::reverse(spans.begin(), spans.end());
      for (const HiddenSpan& span : spans)
        shown.replace(
            span.from, span.upto - span.from,
            *registry_.literal(
                std::string_view(seen.label->text).substr(span.from, span.upto - span.from)));
    }
    std::size_t size = std::min<std::size_t>(shown.size(), RefRegistry::kMaxLabelBytes);
    while (size < shown.size() && (static_cast<unsigned char>(shown[size]) & 0xc0) == 0x80) --size;
    seen.entity->label = without_split_literal(shown.substr(0, size), shown.size() > size);
    return true;
  }
  // A text that was cut inside `lit_n` loses what is left of it.
  static std::string without_split_literal(const std::string& text, bool is_cut) {
    std::size_t end = text.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(text[end - 1])) != 0) --end;
    const bool has_name = end >= 4 && text.compare(end - 4, 4, "lit_") == 0;
    if (!is_cut || !has_name) return text;
    const char before = end == 4 ? ' ' : text[end - 5];
    const bool is_inside_word =
        before == '_' || (static_cast<unsigned char>(before) < 0x80 && std::isalnum(before) != 0);
    return is_inside_word ? text : text.substr(0, end - 4);
  }

  TableRules& rules_;
  RegistryModel& registry_;
  const Tree& tree_;
  std::string_view json_;
  const RowsOptions& options_;
  bool writes_;
  KnownPieces pieces_;
  std::vector<Edit> edits_;
  std::optional<OracleError> error_;
};

}  // namespace

OracleAnswer translate_rows(const RegistryModel& before, const EntityTypes& types,
                            std::string_view table, std::string_view json,
                            const RowsOptions& options) {
  const Tree tree = read_tree(json, options.max_depth);
  std::set<std::string> keys;
  while (true) {
    RegistryModel registry = before;
    TableRules rules(registry, types, keys);
    std::optional<OracleError> error =
        Walk(rules, tree, json, options, false).run(std::string(table));
    if (error) return {error, {}, before};
    const std::size_t known = keys.size();
    keys.merge(rules.late_keys());
    if (keys.size() != known) continue;  // some types have names that they must not have
    Walk second(rules, tree, json, options, true);
    error = second.run(std::string(table));
    if (error) return {error, {}, before};
    return {std::nullopt, second.out(), std::move(registry)};
  }
}

}  // namespace alfred::oracle
