#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <set>

#include "base/files/file.h"
#include "pack/load/pack_files.h"
#include "pack/load/pack_reader.h"
#include "pack/pack_name.h"

namespace alfred {
namespace {

constexpr std::string_view kMainFile = "pack.toml";

// A name of a file, and where it stands.
struct Named {
  std::string name;
  TomlPlace place;
};

class Loader {
 public:
  explicit Loader(const PackFiles& files) : files_(files) {}

  Result<Pack> load() {
    Result<TomlValue> main = read_toml(std::string(kMainFile), std::string(kMainFile) + ":1:1");
    if (!main) return Unexpected(main.error());
    if (Result<void> ok = read_main(*main); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_parts(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_files(); !ok) return Unexpected(ok.error());
    Result<Categories> categories = Categories::make(std::move(categories_));
    if (!categories) return Unexpected(categories.error());
    pack_.categories = std::move(*categories);
    if (Result<void> ok = check_pack(pack_); !ok) return Unexpected(ok.error());
    share_units();
    add_other_names(pack_);
    pack_.fingerprint = fmt::format("{:016x}", hash_);
    return std::move(pack_);
  }

 private:
  Result<std::string> read(const std::string& name, const TomlPlace& place) {
    Result<std::string> text = files_.read(name, place);
    if (!text) return text;
    add_to_hash(name);
    add_to_hash(*text);
    return text;
  }

  // FNV-1a, with the size in front so that no two lists of texts run into each other.
  void add_to_hash(std::string_view text) {
    const auto add = [&](unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; };
    for (std::size_t size = text.size(); size != 0; size >>= 8U)
      add(static_cast<unsigned char>(size & 0xffU));
    add(0);
    for (const char c : text) add(static_cast<unsigned char>(c));
  }

  Result<TomlValue> read_toml(const std::string& name, const TomlPlace& place) {
    Result<std::string> text = read(name, place);
    if (!text) return Unexpected(text.error());
    return parse_toml(*text, name);
  }

  // What pack.toml and the files it includes may both declare.
  void take_shared(TomlTable& table) {
    table.take_tables("entity", into(pack_.entities, read_pack_entity));
    table.take_tables("subdomain", into(pack_.subdomains, read_subdomain));
    table.take_tables("category", into(categories_, read_category));
    table.take_tables("constraint", into(pack_.constraint_types, read_constraint_type));
    table.take_tables("unit", into(pack_.units, read_unit));
    table.take_tables("word", into(pack_.rules.words, read_rule_word));
    table.take_tables("intent", into(pack_.rules.intents, read_rule_intent));
    table.take_tables("template", into(pack_.rules.templates, read_rule_template));
    table.take_tables("choices", into(pack_.rules.lists, read_template_list));
    table.take_value("rules",
                     [&](const TomlValue& value) { return read_rules(value, pack_.rules); });
  }

  void take_names(TomlTable& table, std::string_view name, std::vector<Named>& out) {
    table.take_value(name, [&](const TomlValue& value) -> Result<void> {
      const TomlValue::Array* elements = value.array();
      if (elements == nullptr)
        return fail_toml(value.place, fmt::format("\"{}\" is a list of file names.", name));
      for (const TomlValue& element : *elements) {
        if (element.text() == nullptr)
          return fail_toml(element.place, "The name of a file is a text in quotes.");
        out.push_back({*element.text(), element.place});
      }
      return {};
    });
  }

  Result<void> read_main(const TomlValue& document) {
    TomlTable table(document, "pack.toml");
    table.take_value("name", [&](const TomlValue& value) -> Result<void> {
      if (value.text() == nullptr || !is_pack_name(*value.text()))
        return fail_toml(value.place,
                         "\"name\" is a word of a-z, 0-9, - and _ that begins with a letter, at "
                         "most 64 characters: the pack's database file is called so.");
      pack_.name = *value.text();
      return {};
    });
    table.take("title", pack_.title);
    table.take("description", pack_.description);
    table.take("owner", pack_.owner);
    table.take("created_at", pack_.created_at);
    table.take("updated_at", pack_.updated_at);
    for (const char* const name : {"owner", "created_at", "updated_at"})
      pack_.places[name] = table.place_of(name);
    table.take_word("undeclared", {"hide", "show"},
                    [&](std::string_view word) { pack_.shows_undeclared = word == "show"; });
    table.take_value("schema", [&](const TomlValue& value) -> Result<void> {
      if (value.text() == nullptr) return fail_toml(value.place, "\"schema\" names a file.");
      schema_ = Named{*value.text(), value.place};
      return {};
    });
    table.take("schema_version", pack_.schema_version);
    take_names(table, "include", includes_);
    take_names(table, "rows", rows_);
    take_names(table, "demo", demo_);
    take_names(table, "scenarios", scenarios_);
    table.take_value("texts", [&](const TomlValue& value) { return read_text_names(value); });
    table.take_value("profile", [&](const TomlValue& value) -> Result<void> {
      Result<Profile> profile = read_profile(value);
      if (!profile) return Unexpected(profile.error());
      pack_.profile = std::move(*profile);
      return {};
    });
    table.take_value("chat", [&](const TomlValue& value) -> Result<void> {
      Result<ChatGreeting> chat = read_chat_greeting(value);
      if (!chat) return Unexpected(chat.error());
      pack_.chat = std::move(*chat);
      return {};
    });
    table.take_tables("dashboard", into(pack_.dashboard, read_dashboard_line));
    take_shared(table);
    table.require("name");
    return table.done();
  }

  // name = "file", or a list of files, whose names are theirs without the first folder and ".md".
  Result<void> read_text_names(const TomlValue& value) {
    const auto add = [&](std::string name, const TomlValue& file) -> Result<void> {
      if (file.text() == nullptr)
        return fail_toml(file.place, "A text is the name of a file, in quotes.");
      if (name.empty()) name = text_name(*file.text());
      if (!texts_.emplace(name, Named{*file.text(), file.place}).second)
        return fail_toml(file.place, fmt::format("There are two texts \"{}\"; keep one.", name));
      return {};
    };
    if (value.table() != nullptr) {
      for (const TomlMember& member : *value.table())
        if (Result<void> ok = add(member.name, member.value); !ok) return ok;
      return {};
    }
    if (value.array() == nullptr)
      return fail_toml(value.place, "\"texts\" is a list of files, or { name = \"file\" }.");
    for (const TomlValue& file : *value.array())
      if (Result<void> ok = add("", file); !ok) return ok;
    return {};
  }
  static std::string text_name(std::string_view file) {
    if (const std::size_t slash = file.find('/'); slash != std::string_view::npos)
      file.remove_prefix(slash + 1);
    if (file.ends_with(".md")) file.remove_suffix(3);
    return std::string(file);
  }

  // A file that is included includes nothing, so there is no circle to run into. They are parsed
  // side by side, which is most of the work of loading a pack, and taken in their order.
  Result<void> read_parts() {
    std::vector<std::future<Result<TomlValue>>> documents;
    for (const Named& part : includes_) {
      Result<std::string> text = read(part.name, part.place);
      if (!text) return Unexpected(std::move(text).error());
      documents.push_back(std::async(
          std::launch::async,
          [text = std::move(*text), &name = part.name] { return parse_toml(text, name); }));
    }
    for (std::future<Result<TomlValue>>& one : documents) {
      const Result<TomlValue> document = one.get();
      if (!document) return Unexpected(document.error());
      TomlTable table(*document, "a file that is included");
      take_shared(table);
      if (Result<void> ok = table.done(); !ok) return ok;
    }
    return {};
  }

  Result<void> read_files() {
    if (schema_) {
      Result<std::string> text = read(schema_->name, schema_->place);
      if (!text) return Unexpected(text.error());
      pack_.schema_sql = std::move(*text);
    }
    for (const auto& [name, file] : texts_) {
      Result<std::string> text = read(file.name, file.place);
      if (!text) return Unexpected(text.error());
      pack_.texts[name] = {file.name, std::move(*text)};
    }
    for (const auto& [from, to] :
         {std::pair{&rows_, &pack_.rows}, {&demo_, &pack_.demo}, {&scenarios_, &pack_.scenarios}})
      for (const Named& file : *from) {
        Result<std::string> text = read(file.name, file.place);
        if (!text) return Unexpected(text.error());
        to->push_back({file.name, std::move(*text)});
      }
    return {};
  }

  void share_units() {
    UnitWords words;
    for (const Unit& unit : pack_.units) {
      words.emplace(unit.name, unit.name);
      for (const std::string& word : unit.words) words.emplace(word, unit.name);
    }
    for (PackEntity& entity : pack_.entities) entity.compile.units = words;
  }

  const PackFiles& files_;
  Pack pack_;
  std::vector<Category> categories_;
  std::vector<Named> includes_;
  std::optional<Named> schema_;
  std::map<std::string, Named> texts_;
  std::vector<Named> rows_;
  std::vector<Named> demo_;
  std::vector<Named> scenarios_;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

// A pack that does not load is one error, whichever reader found it.
Result<Pack> load_from(const PackFiles& files) {
  Result<Pack> pack = Loader(files).load();
  if (!pack && pack.error().code == ErrorCode::schema) pack.error().code = ErrorCode::pack;
  return pack;
}

}  // namespace

const PackEntity* Pack::find(std::string_view table) const {
  for (const PackEntity& entity : entities)
    if (entity.table == table) return &entity;
  return nullptr;
}

Result<Pack> load_pack(const std::string& folder) {
  Result<FolderFiles> files = FolderFiles::open(folder);
  if (!files) return Unexpected(files.error());
  return load_from(*files);
}

std::vector<std::string> embedded_packs() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name.ends_with("/pack.toml"))
      names.emplace_back(file.name.substr(0, file.name.find('/')));
  return names;
}

Result<Pack> load_embedded_pack(std::string_view name) {
  std::vector<std::string> known = embedded_packs();
  if (std::find(known.begin(), known.end(), name) == known.end())
    return fail(
        ErrorCode::pack,
        fmt::format("There is no pack \"{}\" in this program; it has: {}. A folder is given "
                    "by its path.",
                    name, fmt::join(known, ", ")),
        {}, known);
  return load_from(MemoryFiles(embedded_files(), std::string(name) + "/"));
}

}  // namespace alfred
