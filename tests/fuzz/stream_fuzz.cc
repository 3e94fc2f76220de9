// Any bytes as a model's stream. The first says in which form, the second where it is cut into
// pieces. Holds: the parser gives the events that a reader of the whole text finds, however it is
// cut; the answer read from them is the same; nothing crashes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "interpreter/chat_http/chat_reader.h"

namespace {

using namespace alfred;

using Events = std::vector<std::pair<std::string, std::string>>;

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

// Line by line out of the whole text, as the standard tells it.
Events reference(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_crlf = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (is_crlf) ++at;
    if (text[at] == '\r' || text[at] == '\n')
      lines.emplace_back();
    else
      lines.back() += text[at];
  }
  lines.pop_back();  // no line end: it was cut off
  Events out;
  std::pair<std::string, std::string> event;
  bool has_data = false;
  for (const std::string& line : lines) {
    if (line.empty()) {
      if (has_data) out.push_back(event);
      event = {};
      has_data = false;
      continue;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    std::string value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.erase(0, 1);
    if (line.substr(0, colon) == "event") event.first = value;
    if (line.substr(0, colon) != "data") continue;
    event.second += (has_data ? "\n" : "") + value;
    has_data = true;
  }
  return out;
}

struct Read {
  Events events{};
  ChatReply reply{};
  std::string error{};
  friend bool operator==(const Read&, const Read&) = default;
};

Read read_in_pieces(std::string_view text, ChatWire wire, std::size_t size) {
  Read out;
  SseParser parser;
  ChatReader reader(wire);
  while (!text.empty() && out.error.empty()) {
    const Result<void> fed = parser.feed(text.substr(0, size), [&](const SseEvent& event) {
      out.events.emplace_back(event.name, event.data);
      return reader.take(event);
    });
    if (!fed) out.error = fed.error().message;
    text.remove_prefix(std::min(size, text.size()));
  }
  out.reply = reader.reply();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const ChatWire wire = (bytes[0] & 1) == 0 ? ChatWire::openai : ChatWire::anthropic;
  const std::string_view text(reinterpret_cast<const char*>(bytes + 2), size - 2);
  const Read whole = read_in_pieces(text, wire, text.size() + 1);
  const Events expected = reference(text);
  require(whole.events.size() <= expected.size(), "no event is made up");
  require(!whole.error.empty() || whole.events == expected, "the events are those of the text");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{bytes[1]} + 1})
    require(read_in_pieces(text, wire, piece) == whole, "pieces give the same");
  require(is_utf8(whole.reply.text), "what is read is UTF-8");
  ChatReader body(wire);
  const Result<void> taken = body.take_whole(text);
  require(taken || !taken.error().message.empty(), "an error says something");
  return 0;
}
