// For tests only: a small library as a domain: books with chapters, and authors.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

inline Json json_for_tests(std::string_view text) {
  return parse_json(text, JsonLimits::none()).value();
}

inline Schema library_schema_for_tests() {
  const auto text = [](std::string name, bool is_nullable = true) {
    Field field{.name = std::move(name)};
    field.is_nullable = is_nullable;
    return field;
  };
  Field id{.name = "id", .type = FieldType::uuid};
  id.is_nullable = false;
  Field pages{.name = "pages", .type = FieldType::integer};
  Field author{.name = "author_id", .type = FieldType::uuid};
  author.link = FieldLink{"authors"};
  Field book{.name = "book_id", .type = FieldType::uuid};
  book.link = FieldLink{"books"};
  Table books{.name = "books", .ref = "book", .key = {"id"}, .label = "title"};
  books.fields = {id, text("title", false), pages, text("genre"), author};
  books.relations = {{"chapters", "chapters", "book_id"}};
  Table chapters{.name = "chapters", .ref = "chapter", .key = {"id"}, .label = "name"};
  chapters.fields = {id, text("name", false), book};
  Table authors{.name = "authors", .ref = "author", .key = {"id"}, .label = "name"};
  authors.fields = {id, text("name", false)};
  return Schema::make({books, chapters, authors}).value();
}

inline Pack library_pack_for_tests() {
  Pack pack;
  pack.name = "library";
  PackEntity book;
  book.table = "books";
  book.ref = "book";
  book.words = {"book", "novel"};
  pack.entities.push_back(std::move(book));
  pack.subdomains.push_back({.name = "books", .tables = {"books", "authors"}, .words = {"book"}});
  pack.subdomains.push_back({.name = "people", .tables = {"authors"}, .words = {"author"}});
  ConstraintType genre{.name = "genre_excluded"};
  genre.check = {ConstraintCheck::Kind::excluded, {"genre", "title"}};
  pack.constraint_types = {genre, ConstraintType{.name = "count", .is_many = false}};
  pack.dashboard.push_back({.table = "books", .text = "{count} books"});
  return pack;
}

}  // namespace alfred
