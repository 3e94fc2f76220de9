// RecordKey: a row's key in the user's database. Uuid, 64-bit integer, text, or several of these.
//
// R1 it has no printer, no conversion to text and no formatter: a prompt cannot reach its content.
// R2 only who holds a KeyDoor may look inside; the list of friends in KeyDoor is the whole list.
// R3 a uuid is one only in its canonical spelling (lower case, dashes), so that what goes back to the
//    database is byte for byte what came from it; other spellings are text.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "refs/keys/canonical_uuid.h"

namespace alfred {

enum class KeyKind : std::uint8_t { uuid, integer, text, composite };

// The right to see keys. Made only by its friends: the door to the database and the state file.
// Tests have one of their own; without their macro nobody else can have it.
class KeyDoor {
  KeyDoor() = default;
  friend class ParamsToKeys;
  friend class RecordKeys;
  friend class RegistryJson;
  friend class RefRegistry;
  friend class LiteralMask;
  friend class KeyPieces;
#ifdef ALFRED_TESTING
  friend struct KeyDoorForTests;
#endif
};

// A key that is not owned: what hot paths compare and hash.
class KeyView {
 public:
  static KeyView uuid(UuidBits bits) { return KeyView(KeyKind::uuid, bits, {}); }
  static KeyView integer(std::int64_t value) {
    return KeyView(KeyKind::integer, {static_cast<std::uint64_t>(value), 0}, {});
  }
  static KeyView text(std::string_view value) { return KeyView(KeyKind::text, {}, value); }

  KeyKind kind() const { return kind_; }
  const KeyView& view() const { return *this; }
  friend bool operator==(const KeyView&, const KeyView&) = default;

  UuidBits bits(KeyDoor) const { return bits_; }            // a uuid's, or an integer's in `high`
  std::string_view bytes(KeyDoor) const { return bytes_; }  // a text, or an encoded composite

 private:
  friend class RecordKey;
  friend class KeyDigest;
  friend class KeyStore;
  KeyView(KeyKind kind, UuidBits bits, std::string_view bytes)
      : kind_(kind), bits_(bits), bytes_(bytes) {}

  KeyKind kind_;
  UuidBits bits_;
  std::string_view bytes_;
};

// A uuid or an integer in a few bytes, for who keeps many waiting. Precondition: it is one of them.
class KeyDigest {
 public:
  KeyDigest() = default;
  explicit KeyDigest(const KeyView& key) : bits_(in_registers(key.bits_)), kind_(key.kind_) {}
  KeyView view() const { return KeyView(kind_, bits_, {}); }

 private:
  friend class KeyStore;
  UuidBits bits_;
  KeyKind kind_ = KeyKind::uuid;
};

class RecordKey {
 public:
  static RecordKey uuid(UuidBits bits) { return RecordKey(KeyView::uuid(bits)); }
  static RecordKey integer(std::int64_t value) { return RecordKey(KeyView::integer(value)); }
  static RecordKey text(std::string_view value) { return RecordKey(KeyView::text(value)); }
  // A uuid when the text is one in canonical spelling, else text (R3).
  static RecordKey from_text(std::string_view value);
  // The parts must be two or more, none of them composite.
  static RecordKey composite(std::span<const RecordKey> parts);
  explicit RecordKey(const KeyView& view);

  KeyView view() const { return KeyView(kind_, bits_, bytes_); }
  KeyKind kind() const { return kind_; }
  std::vector<RecordKey> parts() const;  // of a composite; the key itself otherwise
  friend bool operator==(const RecordKey&, const RecordKey&) = default;

 private:
  KeyKind kind_;
  UuidBits bits_;
  std::string bytes_;
};

// Keys do not print (R1). The deleted operators make the diagnostic say so.
std::ostream& operator<<(std::ostream&, const RecordKey&) = delete;
std::ostream& operator<<(std::ostream&, const KeyView&) = delete;

// The canonical spelling; needs the door.
std::string uuid_text(UuidBits bits, KeyDoor);

}  // namespace alfred
