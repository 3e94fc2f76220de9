// Prints the prompts of some turns in the library, and the core's own texts, with what the
// estimator says of each: JSON lines {"name", "text", "estimate"}.
#include <cstdio>

#include "context/token_estimate.h"
#include "turn/answers_for_tests.h"
#include "turn/turn_for_tests.h"

namespace alfred {
namespace {

void print(const std::string& name, const std::string& text) {
  const JsonObject line{{"name", name}, {"text", text}, {"estimate", estimate_tokens(text)}};
  std::puts(write_json(line).c_str());
}

// Two turns: rows are read, content is made and saved, with all that goes wrong on the way.
void play_turns(TurnPlay& play, std::string_view genre) {
  std::string rows;
  for (int i = 1; i <= 30; ++i) {
    const std::string n = std::to_string(i);
    play.know("book", 812345600 + i, "The Collected Letters, volume " + n);
    rows += (i > 1 ? "," : "") + (R"({"id":"book_)" + n) +
            R"(","title":"The Collected Letters, volume )" + n + R"(","pages":)" +
            std::to_string(200 + i * 7) + R"(,"genre":")" + std::string(genre) +
            R"(","chapters":[{"id":"chapter_)" + n + R"(","name":"Of gardens and storms"}]})";
  }
  play.plan("what books do I have? I would like something short for the weekend", one_step("read"));
  play.answer(kReadBooks);
  play.outcome(R"({"rows":[)" + rows + R"(],"has_more":false})");
  play.answer(kComplete);
  play.finish("You have thirty volumes of The Collected Letters. The first is the shortest.");
  play.plan("make two new ones like the first and save them, nothing about war",
            steps_json({step_json("generate", "books", 1, batch_json({"one", "two"})),
                        step_json("write", "books", 2)}),
            constraint_json("genre_excluded", R"("war")"));
  play.answer("Sure, here they are!");
  play.answer(complete_with({artifact_json("Dusk over the Harbour", R"(,"pages":120)"),
                             artifact_json("A Winter of Small Fires", R"(,"mood":"calm")")}));
  play.answer(kComplete);
  play.answer(call_json("db_create", R"({"table":"books","refs":["gen_book_1","gen_book_2"]})"));
  play.saved("gen_book_1", 812345701);
  play.saved("gen_book_2", 812345702);
  play.outcome(R"({"total":2,"completed":[{"ref":"gen_book_1","result":"book_31"},
                  {"ref":"gen_book_2","result":"book_32"}],"failed":[],"pending":[]})");
  play.answer(kComplete);
  play.finish("Saved 2 books: Dusk over the Harbour and A Winter of Small Fires.");
}

void print_all() {
  for (const auto& [name, text] : embedded_core_texts()) print("text " + name, text);
  const std::vector<std::pair<std::string, std::string>> genres{
      {"english", "letters and essays, mostly from the country"},
      {"german", "Briefe und Aufsätze, größtenteils über Gärten"},
      {"japanese", "田舎からの手紙と随筆"}};
  for (const auto& [language, genre] : genres) {
    TurnPlay play;
    play_turns(play, genre);
    for (const Ask& ask : play.asks)
      print(language + " " + std::string(name_of(ask.node)) + " " + std::to_string(ask.id),
            ask.system + "\n" + ask.user + "\n" + ask.schema_json);
  }
}

}  // namespace
}  // namespace alfred

int main() {
  alfred::print_all();
  return testing::Test::HasFailure() ? 1 : 0;
}
