// When it is to be: days and times that were said, as values of a row.
#include <algorithm>
#include <array>

#include "interpreter/rules/reading/builder.h"

namespace alfred::rules {
namespace {

// "09:00" as minutes; nothing when it is no time.
std::optional<int> usual_minute(const std::string& text) {
  const Tokens tokens = read_tokens(text);
  if (tokens.size() != 1 || tokens.front().kind != Token::Kind::time) return std::nullopt;
  return static_cast<int>(tokens.front().number);
}

}  // namespace

void Builder::take_moment(const Moment& moment) {
  const std::string day = text_of(with_, "day");
  const std::string instant = text_of(with_, "instant");
  const Field* day_of = day.empty() ? day_field(world_, *table()) : table()->find(day);
  if (moment.kind == Moment::Kind::span) {
    const Field* until = table()->find(text_of(with_, "span"));
    if (until != nullptr) put(until, Json(iso_day(world_.now.day + moment.length)));
    return;
  }
  if (const Field* at = table()->find(instant)) {
    const std::optional<Instant> when = instant_said(moment);
    if (when) {
      put(at, Json(instant_text(*when, world_.now)));
      note_assumption(moment, *when);
      if (day_of != nullptr && day_of->type == FieldType::date)
        put(day_of, Json(iso_day(when->day)));
    }
    // Where the usual time of today is over, when it shall be is asked.
    if (when || with_.contains("at")) return;
  }
  if (moment.kind == Moment::Kind::day && day_of != nullptr)
    put(day_of, day_value(*day_of, moment, world_.now));
  put_part_of_day(moment);
}

// `morning = "slot=early"`: a part of the day that is said is a value of the row.
void Builder::put_part_of_day(const Moment& moment) {
  const std::string said = text_of(with_, moment.is_evening()               ? "evening"
                                          : moment.part == DayPart::morning ? "morning"
                                          : moment.part == DayPart::noon    ? "noon"
                                                                            : "");
  const std::size_t at = said.find('=');
  if (at != std::string::npos) put(table()->find(said.substr(0, at)), Json(said.substr(at + 1)));
}

// A time alone is the next such time. A day with a part of it, or with nothing, has a usual time.
std::optional<Instant> Builder::instant_said(const Moment& moment) const {
  const Instant now = instant_of(world_.now);
  Instant out{world_.now.day, moment.minute, moment.second};
  if (moment.kind == Moment::Kind::time) {
    if (out <= now) ++out.day;
    return out;
  }
  if (moment.kind != Moment::Kind::day) return std::nullopt;
  out.day = moment.day;
  if (out.minute < 0) out.minute = clock_of(moment.part);
  if (out.minute >= 0) return out;
  const std::optional<int> usual = usual_minute(text_of(with_, "at"));
  if (!usual) return std::nullopt;
  out.minute = *usual;
  return out > now ? std::optional(out) : std::nullopt;
}

// What was not said and is taken all the same.
void Builder::note_assumption(const Moment& moment, const Instant& when) {
  const std::string clock = clock_text(when.minute, when.second);
  if (moment.kind == Moment::Kind::time && when.day > world_.now.day)
    out_.note = clock + " is over for today, so I took tomorrow.";
  if (moment.minute < 0 && moment.part == DayPart::none)
    out_.note = "You named no time, so I took " + clock + ".";
}

// A day and time that were said and are over.
std::string Builder::over_moment() const {
  const Instant now = instant_of(world_.now);
  std::vector<const Moment*> said = found_.match.moments;
  if (const Captured* day = slot("day"); day != nullptr) said.push_back(day->moment);
  for (const Moment* one : said) {
    if (one == nullptr || one->kind != Moment::Kind::day) continue;
    const std::optional<Instant> when = instant_said(*one);
    const bool is_over = when ? *when <= now : one->day < now.day;
    if (!is_over) continue;
    const std::string what = when ? when_text(*when, world_.now)
                                  : day_name(one->day, world_.now) + " (" + iso_day(one->day) + ")";
    return "That is over: " + what + "; it is now " + iso_day(now.day) + ", " +
           clock_text(now.minute, 0) +
           ". Say a later time or day, such as “in 2 hours” or “tomorrow at 17:00”.";
  }
  return "";
}

std::vector<Doing> Builder::refused(std::string why) const {
  return {Doing{.verb = Verb::unknown, .refusal = std::move(why), .said = out_.said}};
}

std::string Builder::impossible_moment() const {
  if (!with_.contains("instant")) return "";
  if (std::string over = over_moment(); !over.empty()) return over;
  constexpr std::array<std::string_view, 4> kAgain{"daily", "weekly", "monthly", "hourly"};
  const std::span<const Token> tokens = clause_.tokens;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == Token::Kind::time && tokens[at].number >= 24 * 60)
      return tokens[at].text + " is no time of the day: it has 00:00 to 23:59.";
    const bool is_every = (tokens[at].is("every") || tokens[at].is("each")) &&
                          at + 1 < tokens.size() && is_part_of_time(tokens[at + 1]);
    if (is_every || is_among(kAgain, tokens[at].text))
      return "I can note that for one day or time, not for again and again.";
  }
  return "";
}

}  // namespace alfred::rules
