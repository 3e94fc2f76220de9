// new and delete of a whole program, by way of KeptPieces. Linked into programs, not into the
// library: who uses that one keeps their own.
#include <new>

#include "base/memory/kept_pieces.h"

// As the standard says: again and again, as long as somebody makes room.
void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const piece = alfred::KeptPieces::take(bytes)) return piece;
    const std::new_handler make_room = std::get_new_handler();
    if (make_room == nullptr) throw std::bad_alloc();
    make_room();
  }
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* piece) noexcept { alfred::KeptPieces::give(piece); }
void operator delete[](void* piece) noexcept { alfred::KeptPieces::give(piece); }
void operator delete(void* piece, std::size_t bytes) noexcept {
  alfred::KeptPieces::give(piece, bytes);
}
void operator delete[](void* piece, std::size_t bytes) noexcept {
  alfred::KeptPieces::give(piece, bytes);
}
