// RefRegistry: which ref stands for which row, for the life of a session. The seeds'
// TurnIdRegistry, TurnIdMapper and SessionIdRegistry in one.
//
// R1 a ref denotes one entity for ever; counters only grow; nothing is reused (I-2).
// R2 a key has exactly one canonical ref while its row lives (I-1); a key that comes back after a
//    delete is a new entity with a new ref.
// R3 saving gen_type_n gives the next free type_m; gen_type_n stays valid as its alias.
// R4 a deleted ref is a tombstone: known by its label, not listed, not writable.
// R5 a later read does not turn created or updated back into read; a link does not turn read into linked.
// R6 rollback() leaves no trace of what happened since begin(); only ref_operations.cc, ref_types.cc,
//    ref_fold.cc and the inline functions below write.
// R7 keys come out only through a KeyDoor; everything else here is in refs and labels.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "refs/hiding/literal_table.h"
#include "refs/keys/key_store.h"
#include "refs/registry/numbered_entities.h"
#include "refs/registry/ref_entry.h"
#include "refs/type_names.h"

namespace alfred {

class KeyPieces;

struct RefLimits {
  std::uint32_t max_entities = Ref::kMaxNumber;  // more than that no ref could number
  std::uint32_t max_literals = Ref::kMaxNumber;
};

class RefRegistry {
 public:
  static constexpr std::size_t kMaxLabelBytes = 200;

  RefRegistry();
  explicit RefRegistry(RefLimits limits);

  // Looking.
  std::uint32_t turn() const { return turn_; }
  EntityNo size() const { return keys_.size(); }
  std::size_t live_count() const;
  // The entity a text names, kNoEntity when it is no ref or not one of ours. Aliases and ref_ work.
  EntityNo find(std::string_view ref_text) const;
  EntityNo find(std::string_view type, const KeyView& key) const;
  // The same as find() for many refs, whose keys will be asked for: their memory accesses are
  // overlapped.
  void find_many(std::span<const std::string_view> ref_texts, std::span<EntityNo> found) const;
  // The entity that type_number names, kNoEntity when there is none.
  EntityNo at(TypeNo type, std::uint32_t number) const { return types_[type].saved.at(number); }
  // The same for many, whose keys will be asked for: their memory accesses are overlapped.
  void at_many(TypeNo type, std::span<const std::uint32_t> numbers,
               std::span<EntityNo> found) const;
  // The number of an entity of this type that has a key. Mostly its row need not come for that.
  std::uint32_t number(TypeNo type, EntityNo entity) const {
    const NumberedEntities& saved = types_[type].saved;
    return saved.is_in_run(entity) ? saved.number_in_run(entity) : keys_.number(entity);
  }
  Ref ref(EntityNo entity) const;
  std::string_view label(EntityNo entity) const;
  RefStatus status(EntityNo entity) const { return facts_[entity].status; }
  RefOrigin origin(EntityNo entity) const { return facts_[entity].origin; }
  std::uint32_t turn_created(EntityNo entity) const { return facts_[entity].turn_created; }
  std::uint32_t turn_last_referenced(EntityNo entity) const {
    return facts_[entity].turn_last_referenced;
  }
  std::string_view retention_reason(EntityNo entity) const;  // empty: it is not retained
  std::string_view last_referenced_phrase(EntityNo entity) const;
  std::string_view type_of(EntityNo entity) const { return types_[keys_.type(entity)].name; }
  RefEntry entry(EntityNo entity) const;
  bool has_key(EntityNo entity) const { return keys_.has_key(entity); }
  KeyView key(EntityNo entity) const { return keys_.key(entity); }
  const KeyStore& keys() const { return keys_; }
  const LiteralTable& literals() const { return literals_; }

  // The live entity a ref names, of the type a column takes ("" takes any), with a key. Otherwise
  // the error that says what to do (B1–B13).
  Result<EntityNo> resolve(std::string_view ref_text, std::string_view wanted_type) const;
  // The same for who asks often: an error looks through all keys for what it may not repeat.
  Result<EntityNo> resolve(std::string_view ref_text, std::string_view wanted_type,
                           KeyPieces& pieces) const;
  // Up to ten refs that resolve() would accept.
  std::vector<std::string> known_refs(std::string_view type) const;

  // Types.
  // The type of this name; declared on the first call, bound to the table that is named first.
  // called: the name it was made for, when that is no ref's ("" when no name shall lead to it).
  Result<TypeNo> type_named(std::string_view name, std::string_view table,
                            std::optional<std::string_view> called = std::nullopt);
  // Remembers the columns of a type's key. The error says that they were others before.
  Result<void> check_key_columns(TypeNo type, const std::vector<std::string>& columns) const;
  Result<void> set_key_columns(TypeNo type, const std::vector<std::string>& columns);
  std::optional<TypeNo> find_type(std::string_view name) const;
  std::optional<TypeNo> find_called(std::string_view called) const;
  std::optional<TypeNo> find_table(std::string_view table) const;
  std::string_view type_name(TypeNo type) const { return types_[type].name; }
  std::string_view table_of(TypeNo type) const { return types_[type].table; }
  std::string_view called(TypeNo type) const { return types_[type].called; }
  const std::vector<std::string>& key_columns(TypeNo type) const { return types_[type].key; }
  std::size_t type_count() const { return types_.size(); }
  std::uint32_t counter(TypeNo type, bool of_generated) const;

  // What happens to entities.
  void begin_turn(std::uint32_t turn);
  Result<EntityNo> register_read(TypeNo type, const KeyView& key);
  Result<EntityNo> register_linked(TypeNo type, const KeyView& key);
  // The same for who registers many: read or linked, a key that fits, with a hint taken earlier,
  // and kNoEntity instead of an error when there is no room. no_room() is that error.
  // Key: a KeyView or a KeyDigest.
  template <class Key>
  EntityNo enter(TypeNo type, const Key& key, KeyStore::Hint hint, bool is_read);
  Error no_room() const;
  // Makes room for this many entities in all, ahead of need.
  void reserve(std::size_t entities);
  Result<EntityNo> register_generated(TypeNo type, std::string_view label, ArtifactPlace place);
  // A row was created: from generated content (saved_from), or straight.
  Result<EntityNo> register_created(TypeNo type, const KeyView& key,
                                    std::string_view saved_from = {});
  void set_label(EntityNo entity, std::string_view masked_label);
  // The same for who sets many: `readable` bytes are there from the label's first on, its own and
  // maybe more, so that a short one is copied in one piece.
  void set_label(EntityNo entity, std::string_view masked_label, std::size_t readable);
  void mark_updated(EntityNo entity, RefOrigin origin = RefOrigin::system);
  void mark_deleted(EntityNo entity, RefOrigin origin = RefOrigin::system);
  void mark_referenced(EntityNo entity, std::string_view phrase);
  void retain(EntityNo entity, std::string_view reason);  // an empty reason lets go

  // Key-shaped text in prose (literal_mask.h).
  Result<std::uint32_t> register_literal(std::string_view text);
  // A number that shows a key: kept so that no text is taken for it (literal_form.h).
  Result<std::uint32_t> register_hidden_number(std::string_view digits);
  // Forgets the literals of this transaction, for who is about to mask the same text again.
  void drop_new_literals();

  // Transactions.
  // Marks a state to go back to; what happened before can no longer be undone. Not nested.
  void begin();
  // What happened since begin(), as values: folding them into a copy made then gives this registry.
  RefChanges changes() const;
  void rollback();
  // Folds one change in. The error says what does not fit; then nothing changed.
  Result<void> fold(const RefChange& change);

  std::size_t mapping_bytes() const;  // keys, index and counters, labels apart

 private:
  friend class RegistryJson;

  struct Facts {  // one a row, beside the mapping
    std::uint32_t label_at = 0;
    std::uint16_t label_size = 0;
    RefStatus status = RefStatus::read;
    RefOrigin origin = RefOrigin::system;
    std::uint32_t turn_created = 0;
    std::uint32_t turn_last_referenced = 0;
  };
  struct Rarities {  // what few entities have
    std::optional<ArtifactPlace> place;
    std::optional<std::uint32_t> generated_number;
    std::optional<std::uint32_t> turn_promoted;
    std::string last_referenced_phrase;
    std::string retention_reason;
    friend bool operator==(const Rarities&, const Rarities&) = default;
  };
  struct Type {
    std::string name;
    std::string table;
    std::string called;            // no two are called the same, but many are called nothing
    std::vector<std::string> key;  // columns
    NumberedEntities saved;
    NumberedEntities generated;
  };
  struct Undo {  // an entity as it was before its first change in a transaction
    EntityNo entity;
    Ref shown;
    Facts facts;
    std::uint32_t number;
    bool had_key;
    std::optional<Rarities> rarities;
  };
  struct TypeUndo {
    TypeNo type;
    std::string table;
    std::vector<std::string> key;
  };
  struct Mark {
    std::uint32_t turn = 0;
    EntityNo entities = 0;
    std::size_t types = 0;
    std::size_t literals = 0;
    std::size_t label_bytes = 0;
    std::size_t long_key_bytes = 0;
  };

  // Where the entity that a text names is written, or kNoEntity.
  NumberedEntities::Entry number_entry(std::string_view ref_text) const;
  Error not_a_ref(std::string_view text, std::string_view wanted_type, KeyPieces& pieces) const;
  std::string quoted_label(EntityNo entity, KeyPieces& pieces) const;

  // The functions that write: ref_operations.cc, ref_fold.cc.
  Result<void> check_room() const;
  void bind(TypeNo type, std::string_view table);
  void remember_type(TypeNo type);
  void forget_last_type();
  TypeDeclared declared(TypeNo type) const;
  EntityNo read_again(EntityNo entity, TypeNo type, const KeyView& key);
  EntityNo add_row(TypeNo type, const KeyView& key, RefStatus status);
  EntityNo add_without_row(TypeNo type);
  void add_facts(RefStatus status);
  void set_number(TypeNo type, bool is_generated, std::uint32_t number, EntityNo entity);
  void give_key(EntityNo entity, std::uint32_t number, const KeyView& key);
  void promote(EntityNo entity, std::uint32_t number, const KeyView& key);
  void touch(EntityNo entity, RefStatus status, RefOrigin origin);
  void remember(EntityNo entity);
  void put_label(Facts& facts, std::string_view label);
  void write_facts(EntityNo entity, const RefEntry& entry);
  Result<void> check_entry(const RefEntry& entry) const;
  Result<void> check_holder(TypeNo type, const RefEntry& entry) const;
  Result<std::uint32_t> keep_literal(std::string_view kept);
  Result<void> fold_declared(const TypeDeclared& declared);
  Result<void> fold_registered(const RefEntry& entry);
  Result<void> fold_changed(const EntityChanged& change);
  void restore(const Undo& undo);
  void remove_last();

  RefLimits limits_;
  std::uint32_t turn_ = 0;
  KeyStore keys_;
  GrowArray<Facts> facts_;
  GrowArray<char> labels_;
  std::map<EntityNo, Rarities> rarities_;
  std::vector<Type> types_;
  TypeNames type_names_;
  std::map<std::string, TypeNo, std::less<>> type_by_called_;
  std::map<std::string, TypeNo, std::less<>> type_by_table_;
  LiteralTable literals_;

  // The open transaction.
  Mark mark_;
  std::vector<Undo> undo_;
  boost::unordered_flat_set<EntityNo> remembered_;  // who stands in undo_
  std::map<EntityNo, EntityNo> former_holders_;     // entity → who held its key before (R2)
  std::vector<TypeUndo> changed_types_;
};

// Inline, since the translator lives in them.

template <class Key>
[[gnu::always_inline]] inline EntityNo RefRegistry::enter(TypeNo type, const Key& key,
                                                          KeyStore::Hint hint, bool is_read) {
  EntityNo entity = kNoEntity;
  if (keys_.size() < limits_.max_entities) [[likely]] {
    NumberedEntities& numbers = types_[type].saved;
    const auto next = static_cast<std::uint32_t>(numbers.size()) + 1;
    bool is_new = false;
    entity = keys_.find_or_append(type, next, key, hint, is_new);
    if (is_new) {
      numbers.push_back(entity);
      add_facts(is_read ? RefStatus::read : RefStatus::linked);
      return entity;
    }
  } else {
    entity = keys_.find(type, key.view());
  }
  return is_read && entity != kNoEntity ? read_again(entity, type, key.view()) : entity;
}

inline void RefRegistry::set_label(EntityNo entity, std::string_view masked_label,
                                   std::size_t readable) {
  constexpr std::size_t kShort = 32;
  Facts& facts = facts_[entity];
  const bool is_first = facts.label_size == 0 && entity >= mark_.entities;
  if (!is_first || masked_label.size() > kShort || readable < kShort)
    return set_label(entity, masked_label);
  facts.label_at = static_cast<std::uint32_t>(labels_.size());
  facts.label_size = static_cast<std::uint16_t>(masked_label.size());
  std::memcpy(labels_.room(kShort), masked_label.data(), kShort);
  labels_.added(masked_label.size());
}

inline void RefRegistry::add_facts(RefStatus status) {
  facts_.push_back({0, 0, status, RefOrigin::system, turn_, turn_});
}

}  // namespace alfred
