#include "interpreter/rules/reading/diets.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"

namespace alfred::rules {
namespace {

constexpr std::size_t kMostWords = 3;
constexpr std::string_view kFree = "-free";
constexpr std::string_view kFriendly = "-friendly";

class DietReader {
 public:
  DietReader(const ReadingWorld& world, std::span<const Token> tokens, std::size_t at)
      : world_(world),
        rules_(world.pack().rules.wishes),
        tokens_(tokens),
        at_(at),
        diet_(text_of(rules_, "diet")) {}

  std::optional<Diet> read() const {
    if (tokens_[at_].kind != Token::Kind::word || diet_.empty()) return std::nullopt;
    for (std::size_t size = std::min(kMostWords, tokens_.size() - at_); size > 0; --size)
      if (std::optional<Diet> found = named(size)) return found;
    if (std::optional<Diet> found = free_of()) return found;
    return unkept();
  }

 private:
  bool is(std::size_t ahead, std::string_view word) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(word);
  }

  // R1, and what the pack says it cannot keep to.
  std::optional<Diet> named(std::size_t size) const {
    const std::string key = phrase_key(tokens_.subspan(at_, size));
    if (key.empty()) return std::nullopt;
    for (const std::string& one : texts_of(rules_, "unkept"))
      if (phrase_key(one) == key) return Diet{{}, said(size), at_ + size};
    for (const ConstraintType& type : world_.pack().constraint_types) {
      if (type.name != diet_) continue;
      for (const auto& [name, avoided] : type.check.stands_for)
        if (phrase_key(name) == key || stands_for(key, name))
          return Diet{{type.name, "", Json(name), 1.0}, "", at_ + size};
    }
    return std::nullopt;
  }
  // "veggie": a value by another word.
  bool stands_for(const std::string& key, const std::string& name) const {
    const std::vector<Meaning>* meanings = world_.lexicon.find_key(key);
    return meanings != nullptr &&
           std::any_of(meanings->begin(), meanings->end(), [&](const Meaning& one) {
             return one.kind == Meaning::Kind::value && one.value == Json(name) &&
                    one.table == world_.table_of(text_of(rules_, "type"));
           });
  }

  // R2.
  std::optional<Diet> free_of() const {
    const std::string& text = tokens_[at_].text;
    std::string what;
    std::size_t behind = at_ + 1;
    if (text.ends_with(kFree) && text.size() > kFree.size()) {
      what = stem_of(text.substr(0, text.size() - kFree.size()));
    } else if (is(1, "free") && !is(2, "of") && !is(2, "from") && is_noun(tokens_[at_].stem)) {
      what = tokens_[at_].stem;
      behind = at_ + 2;
    }
    if (what.empty()) return std::nullopt;
    return Diet{{text_of(rules_, "excluded"), "", Json(what), 1.0}, "", behind};
  }
  bool is_noun(const std::string& key) const {
    const std::vector<Meaning>* found = world_.lexicon.find_key(key);
    return found != nullptr && Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr;
  }

  // R3.
  std::optional<Diet> unkept() const {
    if (world_.lexicon.span_at(tokens_, at_)) return std::nullopt;
    const std::string& text = tokens_[at_].text;
    const bool is_level = text == "low" || text == "high";
    if (is_level && at_ + 1 < tokens_.size()) return Diet{{}, said(2), at_ + 2};
    if (text.starts_with("low-") || text.starts_with("high-") || text.ends_with(kFriendly))
      return Diet{{}, said(1), at_ + 1};
    return std::nullopt;
  }
  std::string said(std::size_t size) const {
    std::string out;
    for (const Token& one : tokens_.subspan(at_, size)) out += (out.empty() ? "" : " ") + one.text;
    return out;
  }

  const ReadingWorld& world_;
  const JsonObject& rules_;
  std::span<const Token> tokens_;
  std::size_t at_;
  std::string diet_;
};

}  // namespace

std::optional<Diet> diet_at(const ReadingWorld& world, std::span<const Token> tokens,
                            std::size_t at) {
  return DietReader(world, tokens, at).read();
}

std::vector<std::string> avoided_by(const Pack& pack, const Constraint& wish) {
  if (!wish.value.is_string()) return {};
  const std::string name(wish.value.get_string());
  if (wish.type == text_of(pack.rules.wishes, "excluded")) return {name};
  for (const ConstraintType& type : pack.constraint_types)
    if (type.name == wish.type)
      if (const auto found = type.check.stands_for.find(name); found != type.check.stands_for.end())
        return found->second;
  return {};
}

std::string unkept_text(const std::vector<std::string>& unkept) {
  std::string all;
  for (const std::string& one : unkept) all += (all.empty() ? "“" : "”, “") + one;
  if (all.empty()) return "";
  return "I cannot keep to " + all +
         "”, so I made nothing. Say what is to be left out (“without …”), or ask without it.";
}

}  // namespace alfred::rules
