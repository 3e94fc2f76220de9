#include "records/filter/row_words.h"

#include <algorithm>
#include <optional>

#include "records/search/words.h"

namespace alfred {

void RowWords::put(std::size_t column, std::span<const std::string_view> texts,
                   WordNumbers& numbers) {
  run_[column] = static_cast<Number>(run_.size());
  run_.push_back(static_cast<Number>(texts.size()));
  std::string room;
  for (const std::string_view text : texts) {
    const std::size_t size_at = run_.size();
    run_.push_back(0);
    visit_words(text, room, [&](std::string_view word) {
      const std::optional<Number> number = numbers.put(word);
      is_without_numbers_ = is_without_numbers_ || !number;
      run_.push_back(number.value_or(0));
      all_.push_back(number.value_or(0));
    });
    run_[size_at] = static_cast<Number>(run_.size() - size_at - 1);
  }
  std::sort(all_.begin(), all_.end());
  all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
  if (is_without_numbers_) run_ = all_ = std::vector<Number>();
}

}  // namespace alfred
