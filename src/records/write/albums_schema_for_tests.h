// For tests only: a collection of music with every kind of key, an owner, nested rows of nested
// rows, links that cascade, empty themselves or refuse, and an atomic table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pack/schema.h"

namespace alfred {

inline constexpr const char* kAlbumsSql = R"(
CREATE TABLE artists (no integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE albums (id text PRIMARY KEY NOT NULL, user_id text NOT NULL, name text NOT NULL,
  year integer, mood text, tags text, notes text, price real, made text, extra text,
  parent_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED, secret text,
  created_at text, updated_at text, CHECK (year < 3000), UNIQUE (user_id, name));
CREATE TABLE tracks (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text NOT NULL REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  artist_no integer REFERENCES artists (no) DEFERRABLE INITIALLY DEFERRED,
  title text NOT NULL, seconds integer CHECK (seconds > 0), is_live integer NOT NULL);
CREATE TABLE takes (no integer PRIMARY KEY, user_id text NOT NULL,
  track_id text NOT NULL REFERENCES tracks (id) DEFERRABLE INITIALLY DEFERRED, note text,
  played_at text);
CREATE TABLE plays (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  day text NOT NULL, times integer NOT NULL CHECK (times > 0), updated_at text);
CREATE TABLE reviews (id text PRIMARY KEY NOT NULL, user_id text NOT NULL,
  album_id text REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED, body text, worth numeric);
CREATE TABLE shelves (code text PRIMARY KEY NOT NULL, title text);
CREATE TABLE places (shelf_code text NOT NULL REFERENCES shelves (code),
  album_id text NOT NULL REFERENCES albums (id) DEFERRABLE INITIALLY DEFERRED,
  position integer, PRIMARY KEY (shelf_code, album_id));
CREATE TABLE charts (name text PRIMARY KEY NOT NULL, week integer);
)";

inline Field album_field(std::string name, FieldType type, bool is_nullable = true) {
  Field field;
  field.name = std::move(name);
  field.type = type;
  const bool is_number = type == FieldType::integer || type == FieldType::boolean;
  field.database_type = is_number ? "integer" : type == FieldType::number ? "real" : "text";
  field.is_nullable = is_nullable;
  return field;
}

inline Field album_link(std::string name, std::string table, OnDelete on_delete,
                        bool is_nullable = true) {
  const FieldType type = table == "artists" ? FieldType::integer : FieldType::text;
  Field field = album_field(std::move(name), type, is_nullable);
  field.link = FieldLink{std::move(table), on_delete};
  return field;
}

inline Table album_table(std::string name, std::vector<std::string> key, std::string label,
                         std::vector<Field> fields) {
  Table table;
  table.name = std::move(name);
  table.key = std::move(key);
  table.label = std::move(label);
  table.fields = std::move(fields);
  if (table.find("user_id") != nullptr) table.owner = "user_id";
  if (table.find("created_at") != nullptr) table.created_at = "created_at";
  if (table.find("updated_at") != nullptr) table.updated_at = "updated_at";
  return table;
}

inline std::vector<Table> albums_tables() {
  using enum FieldType;
  const Field owner = album_field("user_id", text, false);
  Table artists =
      album_table("artists", {"no"}, "name",
                  {album_field("no", integer, false), album_field("name", text, false)});
  artists.key_source = KeySource::database;
  Table albums = album_table(
      "albums", {"id"}, "name",
      {album_field("id", uuid, false), owner, album_field("name", text, false),
       album_field("year", integer), album_field("mood", text), album_field("tags", list),
       album_field("notes", text), album_field("price", number), album_field("made", date),
       album_field("extra", json), album_link("parent_id", "albums", OnDelete::set_null),
       album_field("secret", text), album_field("created_at", instant),
       album_field("updated_at", instant)});
  albums.fields[4].enum_values = {"calm", "loud"};
  albums.fields[4].value_aliases = {{"quiet", "calm"}};
  albums.fields[11].is_hidden = true;
  albums.relations = {{"tracks", "tracks", "album_id"}};
  Table tracks = album_table(
      "tracks", {"id"}, "title",
      {album_field("id", uuid, false), owner,
       album_link("album_id", "albums", OnDelete::cascade, false),
       album_link("artist_no", "artists", OnDelete::refuse), album_field("title", text, false),
       album_field("seconds", integer), album_field("is_live", boolean, false)});
  tracks.fields[6].default_value = false;
  tracks.relations = {{"takes", "takes", "track_id"}};
  Table takes = album_table("takes", {"no"}, "note",
                            {album_field("no", integer, false), owner,
                             album_link("track_id", "tracks", OnDelete::cascade, false),
                             album_field("note", text), album_field("played_at", instant)});
  takes.key_source = KeySource::database;
  Table plays = album_table(
      "plays", {"id"}, "",
      {album_field("id", uuid, false), owner, album_link("album_id", "albums", OnDelete::set_null),
       album_field("day", date, false), album_field("times", integer, false),
       album_field("updated_at", instant)});
  plays.fields[4].default_value = 1;
  plays.batch_policy = BatchPolicy::atomic;
  Table reviews = album_table(
      "reviews", {"id"}, "body",
      {album_field("id", uuid, false), owner, album_link("album_id", "albums", OnDelete::refuse),
       album_field("body", text), album_field("worth", number)});
  reviews.fields.back().database_type = "numeric";
  Table shelves = album_table("shelves", {"code"}, "title",
                              {album_field("code", text, false), album_field("title", text)});
  shelves.key_source = KeySource::caller;
  Table places = album_table("places", {"shelf_code", "album_id"}, "",
                             {album_link("shelf_code", "shelves", OnDelete::refuse, false),
                              album_link("album_id", "albums", OnDelete::cascade, false),
                              album_field("position", integer)});
  places.key_source = KeySource::caller;
  Table charts = album_table("charts", {"name"}, "",
                             {album_field("name", text, false), album_field("week", integer)});
  charts.key_source = KeySource::caller;
  charts.is_read_only = true;
  return {artists, albums, tracks, takes, plays, reviews, shelves, places, charts};
}

// Values are sent as what the database calls a column's type. A schema read from PostgreSQL has its
// names; one that a test wrote down gets them here.
inline Schema with_postgres_types(std::vector<Table> tables) {
  for (Table& table : tables)
    for (Field& field : table.fields)
      field.database_type = field.type == FieldType::bytes     ? "bytea"
                            : field.database_type == "integer" ? "bigint"
                            : field.database_type == "real"    ? "double precision"
                            : field.database_type == "numeric" ? "numeric"
                                                               : "text";
  return Schema::make(std::move(tables)).value();
}

}  // namespace alfred
