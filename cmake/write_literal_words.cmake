# cmake -D FILES=<file with paths> -D HEADER=<header> -D OUT=<source> -P: see literal_words.cmake.
# Of a raw string whole stretches are taken, from the first of a file to the last: a few names too many do no harm.
set(told "")
file(STRINGS ${FILES} paths)
foreach(path IN LISTS paths)
  file(READ ${path} text)
  string(REGEX REPLACE "\\\\[nrt\"]|'\"'" " " text "${text}")
  string(REGEX MATCH "R\"[a-z]*\\(.*\\)[a-z]*\"" raw "${text}")
  string(REGEX MATCHALL "\"[^\"\n]*\"" plain "${text}")
  string(APPEND told " ${raw} ${plain}")
endforeach()
string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${told}")
list(FILTER words INCLUDE REGEX "^[A-Za-z_].......")
list(REMOVE_DUPLICATES words)
list(SORT words COMPARE STRING CASE SENSITIVE)
list(JOIN words "\",\n    \"" lines)
set(source "// Made by cmake/literal_words.cmake.\n#include \"${HEADER}\"\n\n#include <array>\n\nnamespace alfred {
namespace {
constexpr auto kWords = std::to_array<std::string_view>({\n    \"${lines}\"});
}  // namespace

std::span<const std::string_view> literal_words() { return kWords; }

}  // namespace alfred\n")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT source STREQUAL before)
  file(WRITE ${OUT} "${source}")
endif()
