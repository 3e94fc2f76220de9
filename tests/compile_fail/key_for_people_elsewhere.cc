// Only `alfred refs show --keys` shows keys to people (registry_json.h).
// expect: private
#include "refs/registry/registry_json.h"

int main() {
#ifndef CONTROL
  const std::string text =
      alfred::RegistryJson::key_for_people(alfred::KeyView::integer(7), alfred::KeysForPeople());
#endif
  return alfred::KeyView::integer(7).kind() == alfred::KeyKind::integer ? 0 : 1;
}
