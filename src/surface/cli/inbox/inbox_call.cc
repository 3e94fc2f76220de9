#include "surface/cli/inbox/inbox_call.h"

#include <algorithm>
#include <charconv>
#include <ostream>

#include <fmt/format.h>

#include "base/utf8.h"
#include "surface/cli/inbox/named_inbox.h"

namespace alfred::cli {
namespace {

constexpr std::size_t kMostOfLine = 100;
constexpr std::string_view kMore = "hasMore";  // of a list; said below it

// The member that names a record comes first in its line.
bool is_id(std::string_view name) { return name.ends_with("Id") && name != "sourceNativeId"; }

std::string scalar_text(const Json& value) {
  if (value.is_string()) return std::string(value.as_string());
  return write_json(value);
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return std::string(cut_code_points(text, kMostOfLine));
}

std::string entry_line(const JsonObject& entry) {
  std::string out =
      fmt::format("{}  {}", scalar_text(entry.at("sequence")), scalar_text(entry.at("entryId")));
  if (!entry.at("ackedAt").is_null()) out += "  acked";
  if (entry.at("kind").as_string() == "digest_snapshot")
    out += fmt::format("  {} items, revision {}", scalar_text(entry.at("count")),
                       scalar_text(entry.at("revision")));
  out += "\n";
  for (const Json& item : entry.at("items").as_array())
    out += "    " +
           one_line(fmt::format("{} {} {}", scalar_text(item.at("eventVariant")),
                                scalar_text(item.at("sourceNativeId")),
                                write_json(item.at("rawPayload")))) +
           "\n";
  return out;
}

std::string record_line(const JsonObject& record) {
  if (record.contains("entryId") && record.contains("items")) return entry_line(record);
  std::string ids;
  std::string rest;
  for (const auto& member : record) {
    const Json& value = member.value();
    if (value.is_null() || value.is_object() || value.is_array()) continue;
    if (is_id(member.key()))
      ids += (ids.empty() ? "" : "  ") + scalar_text(value);
    else
      rest += fmt::format("  {}={}", std::string_view(member.key()), one_line(scalar_text(value)));
  }
  return ids + rest + "\n";
}

// As one word of a command line; an agent's own id may be anything.
std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@";
  if (text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

// Where a list goes on that was cut.
std::string more_line(const JsonObject& answer) {
  const Json* const more = answer.if_contains(kMore);
  if (more == nullptr || !more->is_bool() || !more->as_bool()) return "";
  for (const auto& member : answer)
    if (const JsonArray* const list = member.value().if_array(); list != nullptr && !list->empty())
      if (const JsonObject* const last = list->back().if_object())
        for (const auto& part : *last)
          if (is_id(part.key()))
            return fmt::format("There are more. Go on with --after {}\n",
                               shell_word(scalar_text(part.value())));
  return "There are more.\n";
}

Result<void> check_limit(const Arguments& arguments) {
  JsonObject request;
  if (Result<void> read = add_number(request, "limit", arguments, "--limit"); !read) return read;
  if (!request.contains("limit")) return {};
  const std::int64_t limit = request["limit"].as_int64();
  if (limit >= 1 && limit <= 1000) return {};
  return fail(ErrorCode::usage, fmt::format("--limit is {}; it takes 1 to 1000.", limit),
              "--limit");
}

}  // namespace

std::string shown_answer(const Json& answer) {
  const JsonObject* const object = answer.if_object();
  if (object == nullptr) return "";
  std::string out;
  const bool is_list = object->contains(kMore);
  if (!is_list && std::any_of(object->begin(), object->end(), [](const auto& member) {
        return member.value().is_string() || member.value().is_number() || member.value().is_bool();
      }))
    out += record_line(*object);
  for (const auto& member : *object) {
    if (const JsonObject* const part = member.value().if_object();
        part != nullptr && !object->contains("entryId") && member.key() != "config")
      out += fmt::format("{}: {}", std::string_view(member.key()), record_line(*part));
    const JsonArray* const list = member.value().if_array();
    if (list == nullptr) continue;
    for (const Json& one : *list)
      out += one.is_object() ? record_line(one.as_object()) : scalar_text(one) + "\n";
    if (list->empty() && (is_list || object->size() == 1))
      out += fmt::format("There are no {}.\n", std::string_view(member.key()));
  }
  return out + more_line(*object);
}

int call_inbox(InboxCall call, const Arguments& arguments, const Streams& streams,
               IfAbsent if_absent) {
  if (const Result<void> good = check_limit(arguments); !good)
    return report(good.error(), streams.err);
  const Result<std::unique_ptr<NamedInbox>> opened =
      NamedInbox::open(arguments.text("--db"), streams, if_absent);
  if (!opened) return report(opened.error(), streams.err);
  const Result<Json> answer = call((*opened)->inbox(), arguments, streams);
  if (!answer) return report(answer.error(), streams.err);
  if (answer->is_null()) return kDone;  // it has printed what there was to be said
  if (arguments.has("--json"))
    streams.out << write_json(*answer) << "\n";
  else
    streams.out << shown_answer(*answer);
  return kDone;
}

std::vector<Parameter> with_inbox(std::vector<Parameter> parameters) {
  parameters.push_back(
      {"--db", "URL", "The inbox's database; that of `alfred chat` when not given"});
  parameters.push_back({"--json", "", "Print the whole answer as JSON"});
  return parameters;
}

std::vector<Parameter> with_page(std::vector<Parameter> parameters) {
  parameters.push_back({"--limit", "N", "How many, 1 to 1000; 50 when not given"});
  parameters.push_back({"--after", "ID", "Go on behind this one, the last of a list that was cut"});
  return with_inbox(std::move(parameters));
}

JsonObject texts_of(const Arguments& arguments,
                    std::initializer_list<std::pair<const char*, const char*>> names) {
  JsonObject out;
  for (const auto& [argument, field] : names)
    if (arguments.has(argument)) out[field] = arguments.text(argument);
  return out;
}

Result<void> add_json(JsonObject& request, const char* field, const std::string& text,
                      const JsonLimits& limits) {
  Result<Json> value = parse_json(text, limits);
  if (!value) return Unexpected(value.error());
  request[field] = std::move(*value);
  return {};
}

Result<void> add_number(JsonObject& request, const char* field, const Arguments& arguments,
                        const char* name) {
  if (!arguments.has(name)) return {};
  const std::string text = arguments.text(name);
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::usage, fmt::format("{} takes a whole number.", name), name);
  request[field] = number;
  return {};
}

std::int64_t limit_of(const Arguments& arguments) {
  JsonObject request;
  if (const Result<void> read = add_number(request, "limit", arguments, "--limit"); !read)
    return 50;  // call_inbox() refused it
  return request.contains("limit") ? request["limit"].as_int64() : 50;
}

inbox::ListPage page_of(const Arguments& arguments) {
  return {arguments.text("--after"), limit_of(arguments)};
}

}  // namespace alfred::cli
