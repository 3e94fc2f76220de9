// What of the templates a name stands for, and what comes in beside them (make.h).
#include "interpreter/rules/making/make.h"

namespace alfred::rules {

std::string label_field(const Book& book, std::string_view type) {
  const Table* table = book.lexicon.schema().find_ref(type);
  return table == nullptr ? "" : table->label;
}

AddedPart added_part(const Book& book, const std::string& name) {
  const Json* declared = member(book.lexicon.pack().rules.wishes, "added");
  if (declared == nullptr || !declared->is_object()) return {};
  const JsonObject& added = declared->get_object();
  AddedPart out{number_of(added, "amount", 0), text_of(added, "unit"), text_of(added, "step")};
  constexpr std::string_view kName = "{name}";
  if (const std::size_t at = out.step.find(kName); at != std::string::npos)
    out.step.replace(at, kName.size(), name);
  return out;
}

std::string choice_called(const Book& book, const std::string& name) {
  const Categories& categories = book.lexicon.pack().categories;
  for (const TemplateList& list : book.lexicon.pack().rules.lists)
    for (const TemplateChoice& choice : list.choices)
      if (choice.amount > 0 && choice.notes.empty() && categories.is_meant(name, choice.name))
        return choice.name;
  return "";
}

}  // namespace alfred::rules
