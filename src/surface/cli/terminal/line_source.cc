#include "surface/cli/terminal/line_source.h"

#include <istream>

#include "surface/cli/terminal/signals.h"

namespace alfred::cli {
namespace {

class StreamLines final : public LineSource {
 public:
  explicit StreamLines(std::istream& in) : in_(in) {}
  LineRead next() override {
    LineRead read;
    if (std::getline(in_, read.text)) {
      read.kind = LineRead::Kind::line;
      if (read.text.ends_with('\r')) read.text.pop_back();
    }
    if (is_interrupted()) read.kind = LineRead::Kind::interrupted;
    return read;
  }

 private:
  std::istream& in_;
};

}  // namespace

std::unique_ptr<LineSource> stream_lines(std::istream& in) {
  return std::make_unique<StreamLines>(in);
}

}  // namespace alfred::cli
