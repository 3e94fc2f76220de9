#include "pack/categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "pack/ref_names.h"

namespace alfred {
namespace {

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'' ||
         c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) { return (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_of_word(c)) {
      word += lower(c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string joined(std::span<const std::string> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out += ' ';
    out += i + 1 == words.size() ? singular_of(words[i]) : words[i];
  }
  return out;
}

std::vector<std::string> singulars_of(std::string_view text) {
  std::vector<std::string> words = words_of(text);
  for (std::string& word : words) word = singular_of(word);
  return words;
}

bool has_run(const std::vector<std::string>& words, const std::vector<std::string>& wanted) {
  return !wanted.empty() &&
         std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
}

// A category is called the same with a hyphen and with a space.
std::string name_key(std::string_view name) {
  std::string spaced(name);
  std::replace(spaced.begin(), spaced.end(), '-', ' ');
  return Categories::plain_word(spaced);
}

Unexpected wrong(const Category& category, std::string message,
                 std::vector<std::string> allowed = {}) {
  if (allowed.size() > 10) allowed.resize(10);
  return fail(ErrorCode::schema, std::move(message), category.place, std::move(allowed));
}

}  // namespace

std::string Categories::plain_word(std::string_view word) {
  std::string out(word.size(), ' ');  // what stands between words is no shorter than a space
  std::size_t size = 0;
  std::size_t last = 0;  // where the last word begins
  bool is_between = false;
  for (const char c : word) {
    if (!is_of_word(c)) {
      is_between = size > 0;
      continue;
    }
    if (is_between) {
      out[size++] = ' ';
      last = size;
      is_between = false;
    }
    out[size++] = lower(c);
  }
  out.resize(size);
  if (out.empty()) return out;
  const std::string singular = singular_of(std::string_view(out).substr(last));
  if (std::string_view(out).substr(last) != singular)
    out.replace(last, std::string::npos, singular);
  return out;
}

const Category* Categories::find(std::string_view name) const {
  const auto found = by_word_.find(name_key(name));
  return found == by_word_.end() ? nullptr : &declared_[found->second];
}

Result<Categories> Categories::make(std::vector<Category> declared) {
  Categories made;
  made.declared_ = std::move(declared);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < made.declared_.size(); ++i) {
    const Category& category = made.declared_[i];
    names.push_back(category.name);
    std::vector<std::string> words = category.words;
    words.push_back(category.name);
    for (const std::string& word : words) {
      const auto [known, is_new] = made.by_word_.emplace(name_key(word), i);
      if (!is_new && known->second != i)
        return wrong(category, fmt::format("\"{}\" already means the category \"{}\".", word,
                                           made.declared_[known->second].name));
    }
  }
  // Depth first; a category met again while its own includes are being read is a circle.
  enum class Mark : std::uint8_t { unread, reading, read };
  std::map<std::string, Mark> marks;
  const std::function<Result<void>(const Category&)> close =
      [&](const Category& category) -> Result<void> {
    if (marks[category.name] == Mark::read) return {};
    if (marks[category.name] == Mark::reading)
      return wrong(category, fmt::format("Category \"{}\" includes itself.", category.name));
    marks[category.name] = Mark::reading;
    std::set<std::string> all;
    all.insert(plain_word(category.name));
    for (const std::string& word : category.words) all.insert(plain_word(word));
    for (const std::string& member : category.members) all.insert(plain_word(member));
    for (const std::string& name : category.includes) {
      const Category* part = made.find(name);
      if (part == nullptr)
        return wrong(category,
                     fmt::format("Category \"{}\" includes \"{}\", which is no category.",
                                 category.name, name),
                     names);
      if (Result<void> ok = close(*part); !ok) return ok;
      const std::set<std::string>& members = made.members_[part->name];
      all.insert(members.begin(), members.end());
    }
    made.members_[category.name] = std::move(all);
    marks[category.name] = Mark::read;
    return {};
  };
  for (const Category& category : made.declared_)
    if (Result<void> ok = close(category); !ok) return Unexpected(ok.error());
  for (const Category& category : made.declared_)
    if (!category.avoid.empty() && made.find(category.avoid) == nullptr)
      return wrong(category,
                   fmt::format("Category \"{}\" avoids \"{}\", which is no category.",
                               category.name, category.avoid),
                   names);
  made.note_wide();
  for (const auto& [name, members] : made.members_)
    for (const std::string& member : members) {
      made.of_word_[member].insert(name);
      // A plain word has single spaces (R3).
      const auto spaces = std::count(member.begin(), member.end(), ' ');
      made.longest_ = std::max(made.longest_, static_cast<std::size_t>(spaces) + 1);
    }
  return made;
}

void Categories::note_wide() {
  for (const Category& category : declared_)
    if (const Category* wider = find(category.avoid)) wide_.insert(wider->name);
  // Once more for every level of includes; there are few.
  for (std::size_t before = 0; before != wide_.size();) {
    before = wide_.size();
    for (const Category& category : declared_)
      for (const std::string& name : category.includes)
        if (wide_.contains(find(name)->name)) wide_.insert(category.name);
  }
}

bool Categories::is_category(std::string_view name) const { return find(name) != nullptr; }

std::vector<std::string> Categories::members_of(std::string_view name) const {
  const Category* category = find(name);
  if (category == nullptr) return {};
  const std::set<std::string>& members = members_.at(category->name);
  return {members.begin(), members.end()};
}

std::vector<std::string> Categories::categories_of(std::string_view word) const {
  const auto found = of_word_.find(plain_word(word));
  if (found == of_word_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<std::string> Categories::runs_in(std::string_view text) const {
  const std::vector<std::string> words = words_of(text);
  const std::span<const std::string> all(words);
  std::vector<std::string> runs;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t size = std::min(longest_, words.size() - at);
    while (size > 1 && !of_word_.contains(joined(all.subspan(at, size)))) --size;
    size = std::max<std::size_t>(size, 1);
    runs.push_back(joined(all.subspan(at, size)));
    at += size;
  }
  return runs;
}

std::vector<std::string> Categories::categories_in(std::string_view text) const {
  std::set<std::string> found;
  for (const std::string& run : runs_in(text))
    if (const auto known = of_word_.find(run); known != of_word_.end())
      found.insert(known->second.begin(), known->second.end());
  return {found.begin(), found.end()};
}

bool Categories::is_of_a_kind(std::string_view one, std::string_view other) const {
  const auto first = of_word_.find(one);
  const auto second = of_word_.find(other);
  if (first == of_word_.end() || second == of_word_.end()) return false;
  return std::any_of(first->second.begin(), first->second.end(), [&](const std::string& category) {
    return second->second.contains(category) && !wide_.contains(category);
  });
}

bool Categories::is_meant(std::string_view text, std::string_view wanted) const {
  if (const Category* const category = find(wanted)) {
    const std::vector<std::string> found = categories_in(text);
    return std::find(found.begin(), found.end(), category->name) != found.end();
  }
  const std::string plain = plain_word(wanted);
  const std::vector<std::string> words = singulars_of(wanted);
  if (!of_word_.contains(plain)) return has_run(singulars_of(text), words);
  const std::vector<std::string> runs = runs_in(text);
  return std::any_of(runs.begin(), runs.end(), [&](const std::string& run) {
    return run == plain || (has_run(singulars_of(run), words) && is_of_a_kind(run, plain));
  });
}

bool Categories::is_avoided(std::string_view text, std::string_view avoided) const {
  const Category* const category = find(avoided);
  if (category == nullptr) return has_run(singulars_of(text), singulars_of(avoided));
  const std::vector<std::string> found = categories_in(text);
  const auto is_found = [&](const Category* one) {
    return one != nullptr && std::find(found.begin(), found.end(), one->name) != found.end();
  };
  return is_found(category) || is_found(find(category->avoid));
}

std::vector<std::string> Categories::near_misses(std::string_view name) const {
  const Category* const category = find(name);
  if (category == nullptr) return {};
  const std::set<std::string>& members = members_.at(category->name);
  std::vector<std::string> out;
  for (const auto& [word, categories] : of_word_) {
    if (members.contains(word)) continue;
    const std::vector<std::string> words = words_of(word);
    const std::span<const std::string> all(words);
    bool holds_one = false;
    for (std::size_t at = 0; at < words.size(); ++at)
      for (std::size_t size = 1; at + size <= words.size(); ++size)
        holds_one = holds_one || members.contains(joined(all.subspan(at, size)));
    if (holds_one) out.push_back(word);
  }
  return out;
}

}  // namespace alfred
