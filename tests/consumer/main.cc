// What a user of the installed library writes: public headers, one CMake target.
#include <alfred/error.h>
#include <alfred/ids.h>
#include <alfred/random.h>
#include <alfred/refs.h>
#include <alfred/translate.h>

#include <iostream>

namespace {

alfred::Result<int> half(int number) {
  if (number % 2 != 0)
    return alfred::fail(alfred::ErrorCode::schema, "An even number is needed.", "number");
  return number / 2;
}

bool errors_work() {
  const auto good = half(4);
  const auto bad = half(3);
  return good && *good == 2 && !bad && alfred::error_name(bad.error().code) == "schema" &&
         alfred::error_kind(bad.error().code) == alfred::ErrorKind::bad_input;
}

bool ids_work() {
  using SessionId = alfred::ShortId<alfred::IdKind::session>;
  const SessionId id = alfred::new_short_id<alfred::IdKind::session>();
  const auto again = SessionId::parse(id.view());
  return again && *again == id && alfred::identify_id(id.view()).value() == SessionId::kind &&
         !SessionId::parse("ses_nonsense") && alfred::id_kinds().size() >= 16;
}

bool refs_work() {
  const auto ref = alfred::Ref::parse("gen_book_12");
  const auto near = alfred::Ref::parse("Book_1");
  return ref && ref->type() == "book" && ref->number() == 12 && ref->is_generated() && !near &&
         near.error().allowed.front() == "book_1" &&
         alfred::Ref::make("book", 1).text() == "book_1";
}

bool translator_works() {
  auto translator = alfred::Translator::open(
      "[[entity]]\ntable = \"people\"\nref = \"person\"\n"
      "[[entity]]\ntable = \"books\"\nlabel = \"title\"\nlinks = { written_by = \"people\" }\n");
  if (!translator) return false;
  translator->begin_turn(1);
  const auto rows =
      translator->rows_to_refs("books", R"([{"id":804512967,"title":"Dune","written_by":5}])");
  if (!rows || *rows != R"([{"id":"book_1","title":"Dune","written_by":"person_1"}])") return false;
  auto later = alfred::Translator::open("", translator->save());
  const auto keys = later->params_to_keys("books", R"({"data":{"id":"book_1"}})");
  const auto bad = later->params_to_keys("books", R"({"data":{"id":"book_2"}})");
  return keys && *keys == R"({"data":{"id":804512967}})" && !bad &&
         bad.error().code == alfred::ErrorCode::ref_unknown &&
         later->format_for_prompt().find("| book_1 | book | Dune | read |") != std::string::npos;
}

int check(const char* what, bool is_good) {
  std::cout << what << (is_good ? " answer\n" : " do not answer\n");
  return is_good ? 0 : 1;
}

}  // namespace

int main() {
  return check("errors", errors_work()) + check("ids", ids_work()) + check("refs", refs_work()) +
         check("translations", translator_works());
}
