#include "storage/postgres/query_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "storage/postgres/sql_tokens.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

using Kind = SqlToken::Kind;
using std::string_view_literals::operator""sv;

// Sorted. Pure functions of their arguments, aggregates and windows.
constexpr std::array kFunctions{
    "abs"sv,
    "age"sv,
    "array_agg"sv,
    "array_length"sv,
    "array_position"sv,
    "array_to_string"sv,
    "ascii"sv,
    "avg"sv,
    "bit_and"sv,
    "bit_or"sv,
    "bool_and"sv,
    "bool_or"sv,
    "btrim"sv,
    "cardinality"sv,
    "cast"sv,
    "ceil"sv,
    "ceiling"sv,
    "char_length"sv,
    "character_length"sv,
    "chr"sv,
    "coalesce"sv,
    "concat"sv,
    "concat_ws"sv,
    "corr"sv,
    "count"sv,
    "covar_pop"sv,
    "covar_samp"sv,
    "cume_dist"sv,
    "date_part"sv,
    "date_trunc"sv,
    "dense_rank"sv,
    "div"sv,
    "every"sv,
    "exp"sv,
    "extract"sv,
    "first_value"sv,
    "floor"sv,
    "format"sv,
    "generate_series"sv,
    "greatest"sv,
    "initcap"sv,
    "json_agg"sv,
    "json_array_elements"sv,
    "json_array_elements_text"sv,
    "json_array_length"sv,
    "json_build_array"sv,
    "json_build_object"sv,
    "json_each"sv,
    "json_each_text"sv,
    "json_extract_path"sv,
    "json_extract_path_text"sv,
    "json_object_agg"sv,
    "json_typeof"sv,
    "jsonb_agg"sv,
    "jsonb_array_elements"sv,
    "jsonb_array_elements_text"sv,
    "jsonb_array_length"sv,
    "jsonb_build_array"sv,
    "jsonb_build_object"sv,
    "jsonb_each"sv,
    "jsonb_each_text"sv,
    "jsonb_object_agg"sv,
    "jsonb_typeof"sv,
    "lag"sv,
    "last_value"sv,
    "lead"sv,
    "least"sv,
    "left"sv,
    "length"sv,
    "ln"sv,
    "log"sv,
    "lower"sv,
    "lpad"sv,
    "ltrim"sv,
    "make_date"sv,
    "max"sv,
    "md5"sv,
    "min"sv,
    "mod"sv,
    "mode"sv,
    "now"sv,
    "nth_value"sv,
    "ntile"sv,
    "nullif"sv,
    "octet_length"sv,
    "overlay"sv,
    "percent_rank"sv,
    "percentile_cont"sv,
    "percentile_disc"sv,
    "position"sv,
    "power"sv,
    "rank"sv,
    "regexp_match"sv,
    "regexp_matches"sv,
    "regexp_replace"sv,
    "regexp_split_to_table"sv,
    "repeat"sv,
    "replace"sv,
    "reverse"sv,
    "right"sv,
    "round"sv,
    "row"sv,
    "row_number"sv,
    "row_to_json"sv,
    "rpad"sv,
    "rtrim"sv,
    "sign"sv,
    "split_part"sv,
    "sqrt"sv,
    "starts_with"sv,
    "stddev"sv,
    "stddev_pop"sv,
    "stddev_samp"sv,
    "string_agg"sv,
    "string_to_array"sv,
    "strpos"sv,
    "substr"sv,
    "substring"sv,
    "sum"sv,
    "to_char"sv,
    "to_date"sv,
    "to_json"sv,
    "to_jsonb"sv,
    "to_number"sv,
    "to_timestamp"sv,
    "translate"sv,
    "trim"sv,
    "trunc"sv,
    "unnest"sv,
    "upper"sv,
    "var_pop"sv,
    "var_samp"sv,
    "variance"sv,
    "width_bucket"sv,
};
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end()));

// Sorted. Words after which a bracket opens that is no call.
constexpr std::array kKeywords{
    "all"sv,     "and"sv,    "any"sv,          "array"sv,     "as"sv,     "asc"sv,      "between"sv,
    "by"sv,      "case"sv,   "cross"sv,        "cube"sv,      "desc"sv,   "distinct"sv, "else"sv,
    "except"sv,  "exists"sv, "filter"sv,       "from"sv,      "group"sv,  "grouping"sv, "having"sv,
    "ilike"sv,   "in"sv,     "inner"sv,        "intersect"sv, "is"sv,     "join"sv,     "lateral"sv,
    "like"sv,    "limit"sv,  "materialized"sv, "not"sv,       "offset"sv, "on"sv,       "only"sv,
    "or"sv,      "order"sv,  "over"sv,         "partition"sv, "rollup"sv, "select"sv,   "sets"sv,
    "similar"sv, "some"sv,   "then"sv,         "union"sv,     "using"sv,  "values"sv,   "when"sv,
    "where"sv,   "window"sv, "within"sv,
};
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

// Sorted.
constexpr std::array kForbidden{
    "cmax"sv,          "cmin"sv,           "ctid"sv,         "current_catalog"sv,
    "current_role"sv,  "current_schema"sv, "current_user"sv, "information_schema"sv,
    "into"sv,          "regclass"sv,       "regcollation"sv, "regconfig"sv,
    "regdictionary"sv, "regnamespace"sv,   "regoper"sv,      "regoperator"sv,
    "regproc"sv,       "regprocedure"sv,   "regrole"sv,      "regtype"sv,
    "session_user"sv,  "system_user"sv,    "tableoid"sv,     "xmax"sv,
    "xmin"sv,
};
static_assert(std::is_sorted(kForbidden.begin(), kForbidden.end()));

template <class Words>
bool has(const Words& words, std::string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

bool is_name(const SqlToken& token) {
  return token.kind == Kind::word || token.kind == Kind::quoted;
}

Unexpected refuse(std::string why) {
  return fail(ErrorCode::query, std::move(why) + " Write one plain SELECT on your tables.", "sql");
}

class Reader {
 public:
  Reader(std::string_view sql, std::span<const Table* const> tables) : tables_(tables) {
    for (const SqlToken& token : sql_tokens(sql))
      if (token.kind != Kind::comment && token.kind != Kind::space) tokens_.push_back(token);
    while (!tokens_.empty() && tokens_.back().text == ";") tokens_.pop_back();
  }

  Result<QueryText> read() {
    if (!begins_well()) return refuse("The query does not begin with SELECT or WITH.");
    int depth = 0;
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const SqlToken& token = tokens_[at_];
      if (token.text == "(") ++depth;
      if (token.text == ")" && --depth < 0) return refuse("The query closes a bracket too many.");
      if (std::optional<Error> wrong = judge(token)) return Unexpected(std::move(*wrong));
      out_.sql += out_.sql.empty() ? "" : " ";
      if (!take_qualified()) out_.sql += token.text;
    }
    if (depth != 0) return refuse("The query leaves a bracket open.");
    return std::move(out_);
  }

 private:
  bool begins_well() const {
    const auto first = std::find_if(tokens_.begin(), tokens_.end(),
                                    [](const SqlToken& token) { return token.text != "("; });
    if (first == tokens_.end() || first->kind != Kind::word) return false;
    const std::string word = name_of(*first);
    return word == "select" || word == "with" || word == "values";
  }

  bool is_at(std::size_t place, std::string_view text) const {
    return place < tokens_.size() && tokens_[place].text == text;
  }

  std::optional<Error> judge(const SqlToken& token) {
    if (token.kind == Kind::odd || token.kind == Kind::parameter)
      return refuse(fmt::format("The query holds {}, which is not taken here.", token.text))
          .value();
    if (token.text == ";") return refuse("The query has more than one statement.").value();
    if (!is_name(token)) return std::nullopt;
    const std::string name = name_of(token);
    out_.names.insert(name);
    if (is_at(at_ + 1, ".")) out_.qualifiers.insert(name);
    if (at_ > 0 && is_at(at_ - 1, ".")) out_.members.insert(name);
    if (name.starts_with("pg_") || has(kForbidden, name))
      return refuse(fmt::format("The query names {}, which is not taken here.", name)).value();
    if (is_at(at_ + 1, "(") && !may_open_bracket(token, name))
      return refuse(fmt::format("The query calls {}, which is not taken here.", name)).value();
    return std::nullopt;
  }

  // A function of the list, a keyword, a type after ::, or the columns of an alias.
  bool may_open_bracket(const SqlToken& token, const std::string& name) const {
    if (has(kFunctions, name)) return true;
    if (token.kind == Kind::word && has(kKeywords, name)) return true;
    if (at_ == 0) return false;
    const SqlToken& before = tokens_[at_ - 1];
    if (before.text == "::") return true;
    const std::string word = before.kind == Kind::word ? name_of(before) : std::string();
    return word == "as" || word == "with" || word == "recursive";
  }

  // shop.books → "shop.books"
  bool take_qualified() {
    if (!is_name(tokens_[at_]) || !is_at(at_ + 1, ".") || at_ + 2 >= tokens_.size()) return false;
    if (at_ > 0 && is_at(at_ - 1, ".")) return false;
    const std::string whole = name_of(tokens_[at_]) + "." + name_of(tokens_[at_ + 2]);
    const bool is_table = std::any_of(tables_.begin(), tables_.end(),
                                      [&](const Table* table) { return table->name == whole; });
    if (!is_table) return false;
    out_.sql += quoted_name(whole);
    out_.names.insert(whole);
    out_.qualifiers.erase(name_of(tokens_[at_]));
    at_ += 2;
    return true;
  }

  std::span<const Table* const> tables_;
  std::vector<SqlToken> tokens_;
  std::size_t at_ = 0;
  QueryText out_;
};

}  // namespace

bool is_query_function(std::string_view name) { return has(kFunctions, name); }

Result<QueryText> read_query_text(std::string_view sql, std::span<const Table* const> tables) {
  return Reader(sql, tables).read();
}

}  // namespace alfred
