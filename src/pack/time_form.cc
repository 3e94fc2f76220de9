#include "pack/time_form.h"

#include "base/time/iso_time.h"

namespace alfred {
namespace {

constexpr std::size_t kDateSize = 10;

char separator_of(TimeForm form) { return form == TimeForm::spaced ? ' ' : 'T'; }

}  // namespace

TimeForm time_form_of(std::string_view text) {
  if (read_iso_instant(text)) return TimeForm::ours;
  for (const TimeForm form : {TimeForm::spaced, TimeForm::bare})
    if (read_time(form, text)) return form;
  return TimeForm::other;
}

std::string written_time(TimeForm form, std::string_view moment) {
  const std::optional<std::string> instant =
      form == TimeForm::spaced || form == TimeForm::bare ? read_iso_instant(moment) : std::nullopt;
  if (!instant) return std::string(moment);
  std::string text = *instant;
  text.pop_back();  // the Z
  text[kDateSize] = separator_of(form);
  if (text.ends_with(".000")) text.resize(text.size() - 4);
  return text;
}

std::optional<std::string> read_time(TimeForm form, std::string_view text) {
  if (text.size() <= kDateSize || text[kDateSize] != separator_of(form)) return std::nullopt;
  if (form != TimeForm::spaced && form != TimeForm::bare) return std::nullopt;
  std::string zoned(text);
  zoned[kDateSize] = 'T';
  zoned += 'Z';  // a text with a zone has two then, and is no instant
  return read_iso_instant(zoned);
}

}  // namespace alfred
