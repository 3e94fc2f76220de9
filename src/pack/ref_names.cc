#include "pack/ref_names.h"

#include <algorithm>
#include <array>
#include <vector>

namespace alfred {
namespace {

constexpr std::array<std::string_view, 3> kReserved{"gen", "ref", "lit"};

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_reserved(std::string_view segment) {
  return std::find(kReserved.begin(), kReserved.end(), segment) != kReserved.end();
}

std::string_view first_segment(std::string_view name) { return name.substr(0, name.find('_')); }

std::string_view last_dotted_part(std::string_view table) {
  return table.substr(table.rfind('.') + 1);  // npos + 1 is 0: all of it
}

// Lower-case letters, digits and single underscores between them; possibly empty.
std::string plain_name(std::string_view text) {
  std::string out;
  bool gap = false;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_letter(c) && !is_digit(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += '_';
    gap = false;
    out += c;
  }
  return out;
}

std::string with_last_word_singular(const std::string& name) {
  const std::size_t at = name.rfind('_') + 1;
  return name.substr(0, at) + singular_of(std::string_view(name).substr(at));
}

std::string cut_to(std::string name, std::size_t bytes) {
  if (name.size() <= bytes) return name;
  const std::size_t boundary = name.rfind('_', bytes);
  name.resize(boundary == std::string::npos ? bytes : boundary);
  return name;
}

// Makes a plain name a ref type (R1).
std::string as_ref_type(std::string name) {
  if (name.empty()) return "row";
  if (is_digit(name.front())) name.insert(0, 1, 't');
  if (is_reserved(name)) return name + "row";
  if (const std::string_view first = first_segment(name); is_reserved(first))
    name.erase(first.size(), 1);
  return cut_to(std::move(name), kMaxRefTypeBytes);
}

std::string own_name(std::string_view table) {
  return as_ref_type(plain_name(last_dotted_part(table)));
}
std::string full_name(std::string_view table) { return as_ref_type(plain_name(table)); }
std::string full_name_singular(std::string_view table) {
  return as_ref_type(with_last_word_singular(plain_name(table)));
}

// The names a table tries, in turn. `bears` is what it is called itself: where several want the
// same name, the one table that bears it has the better claim.
struct Proposal {
  std::string (*wants)(std::string_view table);
  std::string (*bears)(std::string_view table);
};
constexpr std::array kProposals{Proposal{ref_name_of_table, own_name}, Proposal{own_name, own_name},
                                Proposal{full_name_singular, full_name},
                                Proposal{full_name, full_name}};

class Settlement {
 public:
  Settlement(std::span<const std::string> tables, const std::set<std::string, std::less<>>& taken)
      : unsettled_(tables.begin(), tables.end()), used_(taken) {}

  // Grants every proposal that is free and has one claimant; looks at all before granting any, so
  // that the order of tables plays no part.
  void propose(const Proposal& proposal) {
    std::map<std::string, std::vector<std::string>> claims;
    for (const std::string& table : unsettled_) claims[proposal.wants(table)].push_back(table);
    for (auto& [name, claimants] : claims) {
      if (used_.contains(name)) continue;
      if (claimants.size() > 1)
        std::erase_if(claimants, [&](const auto& table) { return proposal.bears(table) != name; });
      if (claimants.size() == 1) grant(claimants.front(), name);
    }
  }

  void number_the_rest() {
    const std::set<std::string> rest = unsettled_;
    for (const std::string& table : rest) {
      const std::string base = ref_name_of_table(table);
      std::string name = base;
      for (std::size_t n = 2; used_.contains(name); ++n) {
        const std::string number = std::to_string(n);
        name = cut_to(base, kMaxRefTypeBytes - number.size()) + number;
      }
      grant(table, name);
    }
  }

  std::map<std::string, std::string> take() { return std::move(settled_); }

 private:
  void grant(const std::string& table, const std::string& name) {
    used_.insert(name);
    settled_.emplace(table, name);
    unsettled_.erase(table);
  }

  std::set<std::string> unsettled_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string, std::string> settled_;
};

}  // namespace

bool is_ref_type(std::string_view word) {
  if (word.empty() || word.size() > kMaxRefTypeBytes || !is_letter(word.front())) return false;
  char before = '\0';
  for (char c : word) {
    if (!is_letter(c) && !is_digit(c) && !(c == '_' && before != '_')) return false;
    before = c;
  }
  return before != '_' && !is_reserved(first_segment(word));
}

std::string ref_name_of_table(std::string_view table) {
  return as_ref_type(with_last_word_singular(plain_name(last_dotted_part(table))));
}

std::string name_stem(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (!lower.empty() && lower == plain_name(name)) return with_last_word_singular(lower);
  constexpr std::string_view kMarks = "*?\\";  // ours, so a name that begins with one is escaped
  const bool is_marked = name.empty() || kMarks.find(name.front()) != std::string_view::npos;
  return (is_marked ? "\\" : "") + std::string(name);
}

std::optional<std::string_view> named_by_key_column(std::string_view column) {
  if (column.size() < 3) return std::nullopt;
  const std::string_view of = column.substr(0, column.size() - 2);
  const std::string_view end = column.substr(of.size());
  if (of.back() == '_' && (end[0] == 'i' || end[0] == 'I') && (end[1] == 'd' || end[1] == 'D'))
    return of.substr(0, of.size() - 1);
  const bool is_camel = (end == "Id" || end == "ID") && is_letter(of.back());
  return is_camel ? std::optional(of) : std::nullopt;
}

std::map<std::string, std::string> settle_ref_names(
    std::span<const std::string> tables, const std::set<std::string, std::less<>>& taken) {
  Settlement settlement(tables, taken);
  for (const Proposal& proposal : kProposals) settlement.propose(proposal);
  settlement.number_the_rest();
  return settlement.take();
}

}  // namespace alfred
