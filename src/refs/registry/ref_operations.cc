// What happens to entities (R6: with ref_types.cc and ref_fold.cc, the only code that writes).
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/utf8.h"
#include "refs/hiding/literal_form.h"
#include "refs/registry/ref_registry.h"

namespace alfred {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A label cut to size. A literal at the edge goes whole: `lit_123` must not become `lit_1`.
std::string_view cut_label(std::string_view label) {
  const std::string_view cut = cut_utf8(label, RefRegistry::kMaxLabelBytes);
  if (cut.size() == label.size()) return cut;
  const std::size_t digits = cut.find_last_not_of("0123456789") + 1;
  const std::size_t name = digits < 4 ? std::string_view::npos : digits - 4;
  const bool is_literal = name != std::string_view::npos && cut.substr(name, 4) == "lit_" &&
                          (name == 0 || !is_word(cut[name - 1]));
  return is_literal ? cut.substr(0, name) : cut;
}

Unexpected key_too_long() {
  return fail(ErrorCode::limit, fmt::format("a row's key is longer than {} bytes; such rows "
                                            "cannot be named. Read other columns or rows.",
                                            KeyStore::kMaxKeyBytes));
}

}  // namespace

void RefRegistry::begin_turn(std::uint32_t turn) { turn_ = turn; }

Error RefRegistry::no_room() const {
  return Error{
      ErrorCode::limit,
      fmt::format("this session knows {} refs, which is all it may; nothing was forgotten to "
                  "make room. Narrow the read, or start a new session.",
                  keys_.size()),
      {},
      {},
      {}};
}

Result<void> RefRegistry::check_room() const {
  if (keys_.size() < limits_.max_entities) return {};
  return Unexpected(no_room());
}

void RefRegistry::reserve(std::size_t entities) {
  entities = std::min(entities, static_cast<std::size_t>(limits_.max_entities));
  keys_.reserve(entities);
  facts_.reserve(entities);
  // Labels to come are most likely as long as those that are there.
  if (size() > 0) labels_.reserve(labels_.size() / size() * entities);
}

Result<EntityNo> RefRegistry::register_read(TypeNo type, const KeyView& key) {
  if (!KeyStore::fits(key)) return key_too_long();
  const EntityNo entity = enter(type, key, keys_.hint(type, key), true);
  if (entity == kNoEntity) return Unexpected(no_room());
  return entity;
}

Result<EntityNo> RefRegistry::register_linked(TypeNo type, const KeyView& key) {
  if (!KeyStore::fits(key)) return key_too_long();
  const EntityNo entity = enter(type, key, keys_.hint(type, key), false);
  if (entity == kNoEntity) return Unexpected(no_room());
  return entity;
}

// A row that was known before is read (R5), or comes back after its delete (R2).
EntityNo RefRegistry::read_again(EntityNo entity, TypeNo type, const KeyView& key) {
  const RefStatus before = status(entity);
  if (before == RefStatus::deleted)
    return check_room() ? add_row(type, key, RefStatus::read) : kNoEntity;
  const bool is_kept = before == RefStatus::created || before == RefStatus::updated;
  touch(entity, is_kept ? before : RefStatus::read, facts_[entity].origin);
  return entity;
}

// A new entity for a key, also when a deleted row had it before (R2).
EntityNo RefRegistry::add_row(TypeNo type, const KeyView& key, RefStatus status) {
  const std::uint32_t next = static_cast<std::uint32_t>(types_[type].saved.size()) + 1;
  EntityNo former = kNoEntity;
  const EntityNo entity = keys_.append(type, next, key, former);
  if (former != kNoEntity) former_holders_[entity] = former;
  types_[type].saved.push_back(entity);
  add_facts(status);
  return entity;
}

EntityNo RefRegistry::add_without_row(TypeNo type) {
  const std::uint32_t next = static_cast<std::uint32_t>(types_[type].generated.size()) + 1;
  const EntityNo entity = keys_.append_without_key(type, next);
  types_[type].generated.push_back(entity);
  add_facts(RefStatus::generated);
  rarities_[entity].generated_number = next;
  return entity;
}

Result<EntityNo> RefRegistry::register_generated(TypeNo type, std::string_view label,
                                                 ArtifactPlace place) {
  if (Result<void> room = check_room(); !room) return Unexpected(room.error());
  const EntityNo entity = add_without_row(type);
  rarities_[entity].place = place;
  put_label(facts_[entity], label);
  return entity;
}

Result<EntityNo> RefRegistry::register_created(TypeNo type, const KeyView& key,
                                               std::string_view saved_from) {
  if (!KeyStore::fits(key)) [[unlikely]]
    return key_too_long();
  const EntityNo holder = keys_.find(type, key);
  const bool is_taken = holder != kNoEntity && status(holder) != RefStatus::deleted;
  if (saved_from.empty()) {
    if (is_taken) {
      touch(holder, RefStatus::created, facts_[holder].origin);
      return holder;
    }
    if (Result<void> room = check_room(); !room) return Unexpected(room.error());
    return add_row(type, key, RefStatus::created);
  }
  const EntityNo entity = find(saved_from);
  if (entity == kNoEntity || status(entity) == RefStatus::deleted)
    return Unexpected(resolve(saved_from, type_name(type)).error());
  if (is_taken && holder == entity) return entity;  // said twice
  const std::string shown(ref(entity).text());
  if (is_taken || keys_.has_key(entity))
    return fail(ErrorCode::key_taken,
                fmt::format("{} cannot be saved under this row: {} is already known. Use {}.",
                            shown, ref(is_taken ? holder : entity).text(),
                            ref(is_taken ? holder : entity).text()));
  if (keys_.type(entity) != type)
    return fail(ErrorCode::ref_type,
                fmt::format("{} is no {}; it cannot be saved as one.", shown, type_name(type)));
  promote(entity, static_cast<std::uint32_t>(types_[type].saved.size()) + 1, key);
  return entity;
}

void RefRegistry::promote(EntityNo entity, std::uint32_t number, const KeyView& key) {
  remember(entity);
  give_key(entity, number, key);
  rarities_[entity].turn_promoted = turn_;
  facts_[entity].status = RefStatus::created;
  facts_[entity].turn_last_referenced = turn_;
}

void RefRegistry::set_label(EntityNo entity, std::string_view masked_label) {
  const std::string_view cut = cut_label(masked_label);
  if (label(entity) == cut) return;
  remember(entity);
  put_label(facts_[entity], cut);
}

void RefRegistry::put_label(Facts& facts, std::string_view label) {
  const std::string_view cut = cut_label(label);
  facts.label_at = static_cast<std::uint32_t>(labels_.size());
  facts.label_size = static_cast<std::uint16_t>(cut.size());
  if (!cut.empty()) std::memcpy(labels_.room(cut.size()), cut.data(), cut.size());
  labels_.added(cut.size());
}

void RefRegistry::mark_updated(EntityNo entity, RefOrigin origin) {
  const bool becomes_updated =
      status(entity) == RefStatus::read || status(entity) == RefStatus::linked;
  touch(entity, becomes_updated ? RefStatus::updated : status(entity), origin);
}
void RefRegistry::mark_deleted(EntityNo entity, RefOrigin origin) {
  touch(entity, RefStatus::deleted, origin);
}

void RefRegistry::mark_referenced(EntityNo entity, std::string_view phrase) {
  touch(entity, status(entity), facts_[entity].origin);
  if (phrase.empty()) return;
  remember(entity);
  rarities_[entity].last_referenced_phrase = std::string(cut_utf8(phrase, kMaxLabelBytes));
}

void RefRegistry::retain(EntityNo entity, std::string_view reason) {
  remember(entity);
  rarities_[entity].retention_reason = std::string(cut_utf8(reason, kMaxLabelBytes));
}

void RefRegistry::touch(EntityNo entity, RefStatus status, RefOrigin origin) {
  Facts& facts = facts_[entity];
  if (facts.status == status && facts.origin == origin && facts.turn_last_referenced == turn_)
    return;
  remember(entity);
  facts.status = status;
  facts.origin = origin;
  facts.turn_last_referenced = turn_;
}

Result<std::uint32_t> RefRegistry::register_literal(std::string_view text) {
  return has_number_form(text) ? keep_literal(kept_text(text)) : keep_literal(text);
}

Result<std::uint32_t> RefRegistry::register_hidden_number(std::string_view digits) {
  return keep_literal(kept_number(digits));
}

Result<std::uint32_t> RefRegistry::keep_literal(std::string_view kept) {
  if (const std::uint32_t known = literals_.find(kept)) return known;
  if (literals_.size() >= limits_.max_literals)
    return fail(ErrorCode::limit, fmt::format("this session hides {} pieces of key-shaped text, "
                                              "which is all it may. Narrow the read.",
                                              literals_.size()));
  return literals_.add(kept);
}

void RefRegistry::drop_new_literals() { literals_.cut(mark_.literals); }

}  // namespace alfred
