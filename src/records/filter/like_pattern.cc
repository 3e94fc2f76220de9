#include "records/filter/like_pattern.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "records/search/case_fold.h"

namespace alfred {
namespace {

constexpr char32_t kRawBytes = 0x110000;  // what is no UTF-8 lies beyond all code points

std::u32string points_of(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    points += point ? point->value : kRawBytes + static_cast<unsigned char>(text[at]);
    at += point ? point->size : 1;
  }
  return points;
}

}  // namespace

Result<LikePattern> LikePattern::make(std::string_view text, bool folds_case,
                                      const std::string& path) {
  const std::u32string points = points_of(folds_case ? fold_case(text) : std::string(text));
  if (points.size() > kMaxCharacters)
    return fail(ErrorCode::limit,
                fmt::format("a pattern has {} characters at most; this one has {}. Use contains "
                            "or similar for longer texts.",
                            kMaxCharacters, points.size()),
                path);
  LikePattern pattern;
  pattern.folds_case_ = folds_case;
  std::size_t wildcards = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Step step{Step::Kind::character, points[i]};
    if (points[i] == '%') step.kind = Step::Kind::any;
    if (points[i] == '_') step.kind = Step::Kind::one;
    wildcards += step.kind == Step::Kind::character ? 0 : 1;
    if (points[i] == '\\') {
      if (++i == points.size())
        return fail(ErrorCode::value,
                    "a pattern cannot end in \\, which takes the next character literally. Write "
                    "\\\\ for a backslash.",
                    path);
      step.point = points[i];
    }
    pattern.steps_.push_back(step);
  }
  if (wildcards > kMaxWildcards)
    return fail(ErrorCode::limit,
                fmt::format("a pattern has {} wildcards (% and _) at most; this one has {}. Put \\ "
                            "before those that are meant literally.",
                            kMaxWildcards, wildcards),
                path);
  return pattern;
}

// The last `%` met is the only one worth going back to.
bool LikePattern::matches(std::string_view text) const {
  const std::u32string points = points_of(folds_case_ ? fold_case(text) : std::string(text));
  std::size_t step = 0;
  std::size_t at = 0;
  std::size_t back_step = steps_.size() + 1;
  std::size_t back_at = 0;
  while (at < points.size()) {
    const bool has_step = step < steps_.size();
    if (has_step && steps_[step].kind == Step::Kind::any) {
      back_step = ++step;
      back_at = at;
    } else if (has_step &&
               (steps_[step].kind == Step::Kind::one || steps_[step].point == points[at])) {
      ++step;
      ++at;
    } else if (back_step <= steps_.size()) {
      step = back_step;
      at = ++back_at;
    } else {
      return false;
    }
  }
  while (step < steps_.size() && steps_[step].kind == Step::Kind::any) ++step;
  return step == steps_.size();
}

}  // namespace alfred
