#include "storage/postgres/query_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "storage/postgres/sql_tokens.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

using Kind = SqlToken::Kind;

// Pure functions of their arguments, aggregates and windows.
constexpr std::string_view kFunctions =
    " abs age array_agg array_length array_position array_to_string ascii avg bit_and "
    "bit_or bool_and bool_or btrim cardinality cast ceil ceiling char_length "
    "character_length chr coalesce concat concat_ws corr count covar_pop covar_samp "
    "cume_dist date_part date_trunc dense_rank div every exp extract first_value floor "
    "format generate_series greatest initcap json_agg json_array_elements "
    "json_array_elements_text json_array_length json_build_array json_build_object "
    "json_each json_each_text json_extract_path json_extract_path_text json_object_agg "
    "json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text "
    "jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text "
    "jsonb_object_agg jsonb_typeof lag last_value lead least left length ln log lower "
    "lpad ltrim make_date max md5 min mod mode now nth_value ntile nullif octet_length "
    "overlay percent_rank percentile_cont percentile_disc position power rank "
    "regexp_match regexp_matches regexp_replace regexp_split_to_table repeat replace "
    "reverse right round row row_number row_to_json rpad rtrim sign split_part sqrt "
    "starts_with stddev stddev_pop stddev_samp string_agg string_to_array strpos substr "
    "substring sum to_char to_date to_json to_jsonb to_number to_timestamp translate "
    "trim trunc unnest upper var_pop var_samp variance width_bucket ";

// Words after which a bracket opens that is no call.
constexpr std::string_view kKeywords =
    " all and any array as asc between by case cross cube desc distinct else except "
    "exists filter from group grouping having ilike in inner intersect is join lateral "
    "like limit materialized not offset on only or order over partition rollup select "
    "sets similar some then union using values when where window within ";

// Names of the system, and what makes a table of a query.
constexpr std::string_view kForbidden =
    " cmax cmin ctid current_catalog current_role current_schema current_user "
    "information_schema into regclass regcollation regconfig regdictionary regnamespace "
    "regoper regoperator regproc regprocedure regrole regtype session_user system_user "
    "tableoid xmax xmin ";

bool has(std::string_view words, const std::string& word) {
  return word.find(' ') == std::string::npos && words.find(" " + word + " ") != std::string::npos;
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
    bool is_apart = false;
    for (const SqlToken& token : sql_tokens(sql)) {
      const bool is_blank = token.kind == Kind::comment || token.kind == Kind::space;
      if (!is_blank) {
        tokens_.push_back(token);
        apart_.push_back(is_apart);
      }
      is_apart = is_blank;
    }
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
      out_.sql += apart_[at_] ? " " : "";
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
    const bool is_login = token.kind == Kind::word && name == "user";
    if (is_login || name.starts_with("pg_") || has(kForbidden, name))
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
    out_.sql += sql_name(whole);
    out_.names.insert(whole);
    out_.qualifiers.erase(name_of(tokens_[at_]));
    at_ += 2;
    return true;
  }

  std::span<const Table* const> tables_;
  std::vector<SqlToken> tokens_;  // without blanks and comments
  std::vector<bool> apart_;       // whether there were some before a token
  std::size_t at_ = 0;
  QueryText out_;
};

}  // namespace

bool is_query_function(const std::string& name) { return has(kFunctions, name); }

Result<QueryText> read_query_text(std::string_view sql, std::span<const Table* const> tables) {
  return Reader(sql, tables).read();
}

}  // namespace alfred
