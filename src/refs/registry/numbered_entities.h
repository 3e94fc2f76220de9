// NumberedEntities: the entities of a type by their numbers 1, 2, 3… As long as numbers and
// entities count up together, as they do while one table is read, only where they began is kept;
// the others stand one by one.
//
// R1 a number that was given to nobody, or whose entity was taken away, leads to kNoEntity.
// R2 size() is the largest number that leads to somebody.
#pragma once

#include "refs/keys/grow_array.h"
#include "refs/keys/key_index.h"

namespace alfred {

class NumberedEntities {
 public:
  // Where an entity stands: what `from` holds, and so many more. For who asks for many, and loads
  // later.
  struct Entry {
    const EntityNo* from;
    EntityNo more;
    EntityNo entity() const { return *from + more; }
  };

  std::size_t size() const { return run_ + others_.size(); }
  // Any number but 0.
  EntityNo at(std::uint32_t number) const { return entry(number).entity(); }
  [[gnu::always_inline]] Entry entry(std::uint32_t number) const {
    const std::size_t place = number - 1;
    if (place < run_) [[likely]]
      return {&kZero, first_ + static_cast<EntityNo>(place)};
    return place < size() ? Entry{&others_[place - run_], 0} : nobody();
  }
  static Entry nobody() { return {&kZero, kNoEntity}; }

  // Whether the entity's number is known from the run alone, and that number.
  bool is_in_run(EntityNo entity) const { return entity - first_ < run_; }
  std::uint32_t number_in_run(EntityNo entity) const { return entity - first_ + 1; }

  // Gives the next number.
  [[gnu::always_inline]] void push_back(EntityNo entity) {
    if (others_.empty() && (run_ == 0 || entity == first_ + run_)) [[likely]] {
      if (run_ == 0) first_ = entity;
      ++run_;
      return;
    }
    others_.push_back(entity);
  }
  // Gives this number; those before it that nobody has stay free.
  void set(std::uint32_t number, EntityNo entity) {
    if (number == size() + 1) return push_back(entity);
    if (number <= run_) break_run(number - 1);
    while (size() < number) others_.push_back(kNoEntity);
    others_[number - 1 - run_] = entity;
  }
  // Precondition: somebody has it.
  void take_away(std::uint32_t number) {
    if (number != size()) return set(number, kNoEntity);
    if (others_.empty())
      --run_;
    else
      others_.pop_back();
    while (!others_.empty() && others_.back() == kNoEntity) others_.pop_back();
  }
  std::size_t memory_bytes() const { return others_.memory_bytes(); }

 private:
  static constexpr EntityNo kZero = 0;

  // From this place on, everybody stands alone.
  void break_run(std::size_t place) {
    GrowArray<EntityNo> others;
    others.reserve(size() - place);
    for (std::size_t i = place; i < run_; ++i) others.push_back(first_ + static_cast<EntityNo>(i));
    for (std::size_t i = 0; i < others_.size(); ++i) others.push_back(others_[i]);
    others_ = std::move(others);
    run_ = place;
  }

  EntityNo first_ = 0;
  std::size_t run_ = 0;  // so many, from first_ on
  GrowArray<EntityNo> others_;
};

}  // namespace alfred
