// Transactions, and folding changes in (R6: with ref_operations.cc, the only code that writes).
#include <set>

#include <fmt/format.h>

#include "refs/registry/ref_registry.h"

namespace alfred {
namespace {

constexpr std::string_view kKeyTooLong = "its key is longer than a registry can hold";

Unexpected misfit(const Ref& ref, std::string_view why) {
  return fail(ErrorCode::schema, fmt::format("{} does not fit this registry: {}", ref.text(), why));
}

}  // namespace

// Transactions.

void RefRegistry::remember(EntityNo entity) {
  if (entity >= mark_.entities) return;  // made in this transaction: it goes whole
  if (!remembered_.insert(entity).second) return;
  const auto rare = rarities_.find(entity);
  undo_.push_back({entity, ref(entity), facts_[entity], keys_.number(entity), has_key(entity),
                   rare == rarities_.end() ? std::nullopt : std::optional(rare->second)});
}

void RefRegistry::begin() {
  mark_ = {turn_, size(), types_.size(), literals_.size(), labels_.size(), keys_.long_key_bytes()};
  undo_.clear();
  remembered_.clear();
  former_holders_.clear();
  changed_types_.clear();
}

TypeDeclared RefRegistry::declared(TypeNo type) const {
  const Type& known = types_[type];
  TypeDeclared declared{known.name, known.table, {}, known.key};
  if (known.called != known.name) declared.called = known.called;
  return declared;
}

RefChanges RefRegistry::changes() const {
  RefChanges changes;
  const std::size_t entities = undo_.size() + (size() - mark_.entities);
  if (entities > 0) changes.reserve(entities + 4);  // and a few types, at most
  std::set<TypeNo> changed;
  for (const TypeUndo& undo : changed_types_)
    if (changed.insert(undo.type).second) changes.emplace_back(declared(undo.type));
  for (std::size_t i = mark_.types; i < types_.size(); ++i)
    changes.emplace_back(declared(static_cast<TypeNo>(i)));
  if (turn_ != mark_.turn) changes.emplace_back(TurnBegun{turn_});
  for (std::size_t i = mark_.literals; i < literals_.size(); ++i)
    changes.emplace_back(
        LiteralAdded{std::string(literals_.text(static_cast<std::uint32_t>(i) + 1, KeyDoor()))});
  // Saves come after the rest: a key that one takes may be free only since a delete.
  for (const bool is_save : {false, true})
    for (const Undo& undo : undo_)
      if (is_save == (!undo.had_key && has_key(undo.entity)))
        changes.emplace_back(EntityChanged{undo.shown, entry(undo.entity)});
  for (EntityNo entity = mark_.entities; entity < size(); ++entity)
    changes.emplace_back(EntityRegistered{entry(entity)});
  return changes;
}

void RefRegistry::restore(const Undo& undo) {
  if (!undo.had_key && has_key(undo.entity)) {
    types_[keys_.type(undo.entity)].saved.take_away(keys_.number(undo.entity));
    keys_.set_key(undo.entity, undo.number, nullptr);
  }
  facts_[undo.entity] = undo.facts;
  if (undo.rarities)
    rarities_[undo.entity] = *undo.rarities;
  else
    rarities_.erase(undo.entity);
}

void RefRegistry::remove_last() {
  const EntityNo last = size() - 1;
  Type& type = types_[keys_.type(last)];
  if (has_key(last)) type.saved.take_away(keys_.number(last));
  if (const auto rare = rarities_.find(last); rare != rarities_.end()) {
    if (const auto number = rare->second.generated_number) type.generated.take_away(*number);
    rarities_.erase(rare);
  }
  // Who held the key before may be a younger entity, which is gone already.
  const auto former = former_holders_.find(last);
  const bool has_former = former != former_holders_.end() && former->second < last;
  keys_.pop(has_former ? former->second : kNoEntity);
  facts_.pop_back();
}

void RefRegistry::rollback() {
  while (size() > mark_.entities) remove_last();
  for (const Undo& undo : undo_) restore(undo);
  for (const auto& [entity, former] : former_holders_)
    if (former < size() && has_key(former)) keys_.lead_to(former);
  while (types_.size() > mark_.types) forget_last_type();
  for (auto undo = changed_types_.rbegin(); undo != changed_types_.rend(); ++undo) {
    Type& type = types_[undo->type];
    if (type.table != undo->table) type_by_table_.erase(type.table);
    type.table = undo->table;
    type.key = undo->key;
  }
  literals_.cut(mark_.literals);
  labels_.cut(mark_.label_bytes);
  keys_.cut_long_keys(mark_.long_key_bytes);
  turn_ = mark_.turn;
  begin();
}

// Folding changes in.

Result<void> RefRegistry::fold(const RefChange& change) {
  if (const auto* registered = std::get_if<EntityRegistered>(&change))
    return fold_registered(registered->entry);
  if (const auto* changed = std::get_if<EntityChanged>(&change)) return fold_changed(*changed);
  if (const auto* declared = std::get_if<TypeDeclared>(&change)) {
    return fold_declared(*declared);
  } else if (const auto* literal = std::get_if<LiteralAdded>(&change)) {
    const Result<std::uint32_t> number = keep_literal(literal->text);
    if (!number) return Unexpected(number.error());
  } else {
    begin_turn(std::get<TurnBegun>(change).turn);
  }
  return {};
}

Result<void> RefRegistry::fold_declared(const TypeDeclared& declared) {
  const auto misfits = [&](std::string_view why) {
    return fail(ErrorCode::schema,
                fmt::format("type {} does not fit this registry: {}", declared.type, why));
  };
  const std::string wanted = declared.called.value_or(declared.type);
  const std::optional<TypeNo> known = find_type(declared.type);
  if (known && this->called(*known) != wanted) return misfits("it is called otherwise");
  if (!known && !wanted.empty() && find_called(wanted)) return misfits("another is called so");
  if (known && !declared.key.empty() && !key_columns(*known).empty() &&
      key_columns(*known) != declared.key)
    return misfits("its key has other columns");
  const Result<TypeNo> type = type_named(declared.type, declared.table, wanted);
  if (!type) return Unexpected(type.error());
  return set_key_columns(*type, declared.key);
}

void RefRegistry::set_number(TypeNo type, bool is_generated, std::uint32_t number,
                             EntityNo entity) {
  (is_generated ? types_[type].generated : types_[type].saved).set(number, entity);
}

// What holds of an entry whatever the registry knows. Numbers are bounded: a gap costs memory.
Result<void> RefRegistry::check_entry(const RefEntry& entry) const {
  if (entry.ref.is_generated() == entry.key.has_value())
    return misfit(entry.ref, "a gen_ ref has no key, any other ref has one");
  if (entry.key && !KeyStore::fits(entry.key->view())) return misfit(entry.ref, kKeyTooLong);
  if (entry.alias && (!entry.alias->is_generated() || entry.alias->type() != entry.ref.type()))
    return misfit(entry.ref, "its alias is no gen_ ref of its type");
  if (entry.alias && entry.ref.is_generated()) return misfit(entry.ref, "a gen_ ref has no alias");
  for (const std::uint32_t number : {entry.ref.number(), entry.alias ? entry.alias->number() : 1})
    if (number > limits_.max_entities) return misfit(entry.ref, "its number is past the limit");
  return {};
}

// A row has one live ref (R2).
Result<void> RefRegistry::check_holder(TypeNo type, const RefEntry& entry) const {
  if (!entry.key || entry.status == RefStatus::deleted) return {};
  const EntityNo holder = keys_.find(type, entry.key->view());
  if (holder == kNoEntity || status(holder) == RefStatus::deleted) return {};
  return misfit(entry.ref, fmt::format("its row is already {}", ref(holder).text()));
}

// The key leads to who took it last, and that is who has the higher number: the order in which
// changes are folded in plays no part.
void RefRegistry::give_key(EntityNo entity, std::uint32_t number, const KeyView& key) {
  const EntityNo holder = keys_.find(keys_.type(entity), key);
  keys_.set_key(entity, number, &key);
  set_number(keys_.type(entity), false, number, entity);
  if (holder == kNoEntity) return;
  former_holders_[entity] = holder;
  if (keys_.number(holder) > number) keys_.lead_to(holder);
}

Result<void> RefRegistry::fold_registered(const RefEntry& entry) {
  if (Result<void> sound = check_entry(entry); !sound) return sound;
  if (Result<void> room = check_room(); !room) return room;
  // A number that was given to another entity cannot be given again (R1).
  if (find(entry.ref.text()) != kNoEntity) return misfit(entry.ref, "the ref is taken");
  if (entry.alias && find(entry.alias->text()) != kNoEntity)
    return misfit(*entry.alias, "the ref is taken");
  if (const std::optional<TypeNo> known = find_type(entry.ref.type()))
    if (Result<void> free = check_holder(*known, entry); !free) return free;
  const Result<TypeNo> type = type_named(entry.ref.type(), "");
  if (!type) return Unexpected(type.error());
  const EntityNo entity = keys_.append_without_key(*type, entry.ref.number());
  add_facts(entry.status);
  if (entry.key) give_key(entity, entry.ref.number(), entry.key->view());
  if (entry.ref.is_generated()) set_number(*type, true, entry.ref.number(), entity);
  if (entry.alias) set_number(*type, true, entry.alias->number(), entity);
  write_facts(entity, entry);
  return {};
}

Result<void> RefRegistry::fold_changed(const EntityChanged& change) {
  const RefEntry& entry = change.entry;
  if (Result<void> sound = check_entry(entry); !sound) return sound;
  const EntityNo entity = find(change.was.text());
  if (entity == kNoEntity) return misfit(change.was, "it is not known");
  const RefEntry now = this->entry(entity);
  if (now.key || !entry.key) {
    if (now.ref != entry.ref || now.key != entry.key || now.alias != entry.alias)
      return misfit(change.was, "only a save changes its ref, key or alias");
  } else {
    if (entry.alias != now.ref) return misfit(entry.ref, "its alias is not what it was saved from");
    if (find(entry.ref.text()) != kNoEntity) return misfit(entry.ref, "the ref is taken");
    if (Result<void> free = check_holder(keys_.type(entity), entry); !free) return free;
  }
  if (now.status == RefStatus::deleted && entry.status != RefStatus::deleted)
    return misfit(change.was, "it was deleted");
  remember(entity);
  if (!now.key && entry.key) give_key(entity, entry.ref.number(), entry.key->view());
  write_facts(entity, entry);
  return {};
}

void RefRegistry::write_facts(EntityNo entity, const RefEntry& entry) {
  Facts& facts = facts_[entity];
  facts.status = entry.status;
  facts.origin = entry.origin;
  facts.turn_created = entry.turn_created;
  facts.turn_last_referenced = entry.turn_last_referenced;
  if (label(entity) != entry.label) put_label(facts, entry.label);
  Rarities rare{.place = entry.place,
                .generated_number = {},
                .turn_promoted = entry.turn_promoted,
                .last_referenced_phrase = entry.last_referenced_phrase,
                .retention_reason = entry.retention_reason};
  if (entry.alias) rare.generated_number = entry.alias->number();
  if (entry.ref.is_generated()) rare.generated_number = entry.ref.number();
  if (rare == Rarities{})
    rarities_.erase(entity);
  else
    rarities_[entity] = std::move(rare);
}

}  // namespace alfred
