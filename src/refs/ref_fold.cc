// Transactions, and folding changes in (R6: with ref_operations.cc, the only code that writes).
#include <fmt/format.h>

#include "refs/ref_registry.h"

namespace alfred {
namespace {

Unexpected misfit(const Ref& ref, std::string_view why) {
  return fail(ErrorCode::schema, fmt::format("{} does not fit this registry: {}", ref.text(), why));
}

}  // namespace

// ── Transactions
// ────────────────────────────────────────────────────────────────────────────────────

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
  bound_types_.clear();
}

RefChanges RefRegistry::changes() const {
  RefChanges changes;
  for (const TypeNo type : bound_types_)
    changes.emplace_back(TypeDeclared{types_[type].name, types_[type].table});
  for (std::size_t i = mark_.types; i < types_.size(); ++i)
    changes.emplace_back(TypeDeclared{types_[i].name, types_[i].table});
  if (turn_ != mark_.turn) changes.emplace_back(TurnBegun{turn_});
  for (std::size_t i = mark_.literals; i < literals_.size(); ++i)
    changes.emplace_back(
        LiteralAdded{std::string(literals_.text(static_cast<std::uint32_t>(i) + 1))});
  for (const Undo& undo : undo_)
    changes.emplace_back(EntityChanged{undo.shown, entry(undo.entity)});
  for (EntityNo entity = mark_.entities; entity < size(); ++entity)
    changes.emplace_back(EntityRegistered{entry(entity)});
  return changes;
}

void RefRegistry::restore(const Undo& undo) {
  if (!undo.had_key && has_key(undo.entity)) {
    types_[keys_.type(undo.entity)].saved[keys_.number(undo.entity) - 1] = kNoEntity;
    keys_.set_key(undo.entity, undo.number, nullptr);
  }
  facts_[undo.entity] = undo.facts;
  if (undo.rarities)
    rarities_[undo.entity] = *undo.rarities;
  else
    rarities_.erase(undo.entity);
}

void RefRegistry::rollback() {
  while (size() > mark_.entities) {
    const EntityNo last = size() - 1;
    const auto former = former_holders_.find(last);
    keys_.pop(former == former_holders_.end() ? kNoEntity : former->second);
    facts_.pop_back();
    rarities_.erase(last);
  }
  for (const Undo& undo : undo_) restore(undo);
  for (const auto& [entity, former] : former_holders_)
    if (former < size()) keys_.lead_to(former);
  for (std::size_t i = 0; i < types_.size(); ++i)
    for (GrowArray<EntityNo>* numbers : {&types_[i].saved, &types_[i].generated})
      while (!numbers->empty() && (numbers->back() == kNoEntity || numbers->back() >= size()))
        numbers->pop_back();
  for (const TypeNo type : bound_types_) types_[type].table.clear();
  while (types_.size() > mark_.types) {
    type_by_name_.erase(types_.back().name);
    types_.pop_back();
  }
  literals_.cut(mark_.literals);
  labels_.cut(mark_.label_bytes);
  keys_.cut_long_keys(mark_.long_key_bytes);
  turn_ = mark_.turn;
  begin();
}

// ── Folding changes in
// ──────────────────────────────────────────────────────────────────────────────

Result<void> RefRegistry::fold(const RefChange& change) {
  if (const auto* registered = std::get_if<EntityRegistered>(&change))
    return fold_registered(registered->entry);
  if (const auto* changed = std::get_if<EntityChanged>(&change)) return fold_changed(*changed);
  if (const auto* declared = std::get_if<TypeDeclared>(&change)) {
    const Result<TypeNo> type = type_named(declared->type, declared->table);
    if (!type) return Unexpected(type.error());
  } else if (const auto* literal = std::get_if<LiteralAdded>(&change)) {
    const Result<std::uint32_t> number = register_literal(literal->text);
    if (!number) return Unexpected(number.error());
  } else {
    begin_turn(std::get<TurnBegun>(change).turn);
  }
  return {};
}

void RefRegistry::set_number(TypeNo type, bool is_generated, std::uint32_t number,
                             EntityNo entity) {
  GrowArray<EntityNo>& numbers = is_generated ? types_[type].generated : types_[type].saved;
  while (numbers.size() < number) numbers.push_back(kNoEntity);
  numbers[number - 1] = entity;
}

// A number that was given to another entity cannot be given again (R1).
Result<void> RefRegistry::check_numbers(TypeNo type, const RefEntry& entry) const {
  for (const Ref* ref : {&entry.ref, entry.alias ? &*entry.alias : nullptr}) {
    if (ref == nullptr) continue;
    if (ref->type() != types_[type].name) return misfit(*ref, "its alias is of another type");
    if (find(ref->text()) != kNoEntity) return misfit(*ref, "the ref is taken");
  }
  return {};
}

Result<void> RefRegistry::fold_registered(const RefEntry& entry) {
  if (entry.ref.is_generated() == entry.key.has_value())
    return misfit(entry.ref, "a gen_ ref has no key, any other ref has one");
  if (Result<void> room = check_room(); !room) return room;
  const Result<TypeNo> type = type_named(entry.ref.type(), "");
  if (!type) return Unexpected(type.error());
  if (Result<void> numbers = check_numbers(*type, entry); !numbers) return numbers;
  EntityNo holder = kNoEntity;
  if (entry.key) {
    holder = keys_.find(*type, entry.key->view());
    const bool is_live = holder != kNoEntity && status(holder) != RefStatus::deleted;
    if (is_live && entry.status != RefStatus::deleted)
      return misfit(entry.ref, fmt::format("its row is already {}", ref(holder).text()));
  }
  const EntityNo entity = keys_.append_without_key(*type, entry.ref.number());
  add_facts(entry.status);
  if (entry.key) {
    const KeyView key = entry.key->view();
    keys_.set_key(entity, entry.ref.number(), &key);
    if (holder != kNoEntity) former_holders_[entity] = holder;
    if (holder != kNoEntity && entry.status == RefStatus::deleted) keys_.lead_to(holder);
  }
  set_number(*type, entry.ref.is_generated(), entry.ref.number(), entity);
  if (entry.alias) set_number(*type, true, entry.alias->number(), entity);
  write_facts(entity, entry);
  return {};
}

Result<void> RefRegistry::fold_changed(const EntityChanged& change) {
  const EntityNo entity = find(change.was.text());
  if (entity == kNoEntity) return misfit(change.was, "it is not known");
  const RefEntry& entry = change.entry;
  const bool is_promotion = entry.key.has_value() && !has_key(entity);
  if (is_promotion) {
    if (find(entry.ref.text()) != kNoEntity) return misfit(entry.ref, "the ref is taken");
    promote(entity, entry.ref.number(), entry.key->view());
  } else if (ref(entity) != entry.ref) {
    return misfit(change.was, "only a save changes the ref that is shown");
  }
  remember(entity);
  write_facts(entity, entry);
  return {};
}

void RefRegistry::write_facts(EntityNo entity, const RefEntry& entry) {
  Facts& facts = facts_[entity];
  facts.status = entry.status;
  facts.origin = entry.origin;
  facts.turn_created = entry.turn_created;
  facts.turn_last_referenced = entry.turn_last_referenced;
  if (label(entity) != entry.label) put_label(facts, entry.label, entry.label.size());
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
