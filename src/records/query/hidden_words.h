// Words of what a query computed that may be a key's middle, or a part of a key of several columns:
// shown as literals.
//
// R1 a word with eight hex digits in a row is hidden.
// R2 where parts of keys may have been used, so is a word that looks like a key (key_shapes.h, R5), with
//    what joins it to the next one (A.17/B-2026), and in JSON a number of eight digits. A part with
//    spaces in it is more than one word: of such a one that is not known, short words are shown.
#pragma once

#include "base/json/json.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

// Of a text, or of all that a JSON value holds. Needs an open transaction.
Result<Json> with_hidden_words(RefRegistry& registry, const Json& json, bool may_hold_parts);

}  // namespace alfred
