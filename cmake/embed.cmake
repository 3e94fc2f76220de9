# alfred_embed(<target> <root> <function> <files relative to it>...)
# Puts the files into the target, byte for byte: one assembly file with .incbin, and the function
# `std::span<const EmbeddedFile> <function>()` (src/base/files/embedded_file.h) that names them. A changed
# file rebuilds both.
enable_language(ASM)

function(alfred_embed target root name)
  set(assembly "    .section .rodata\n")
  set(symbols "")
  set(rows "")
  set(paths "")
  set(number 0)
  foreach(file IN LISTS ARGN)
    string(APPEND assembly
      "    .global alfred_${name}_${number}\n    .global alfred_${name}_${number}_end\n"
      "alfred_${name}_${number}:\n    .incbin \"${root}/${file}\"\n"
      "alfred_${name}_${number}_end:\n    .byte 0\n")
    string(APPEND symbols "extern const char alfred_${name}_${number}[];\n"
                          "extern const char alfred_${name}_${number}_end[];\n")
    string(APPEND rows
      "    EmbeddedFile{\"${file}\", alfred_${name}_${number}, alfred_${name}_${number}_end},\n")
    list(APPEND paths ${root}/${file})
    math(EXPR number "${number} + 1")
  endforeach()
  # The stack of the program stays one that nothing is executed from.
  string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")

  set(out ${PROJECT_BINARY_DIR}/embedded)
  file(CONFIGURE OUTPUT ${out}/${target}_files.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${out}/${target}_files.cc CONTENT
"#include <array>

#include \"base/files/embedded_file.h\"

extern \"C\" {
${symbols}}

namespace alfred {

std::span<const EmbeddedFile> ${name}();
std::span<const EmbeddedFile> ${name}() {
  static const std::array table{
${rows}  };
  return table;
}

}  // namespace alfred
" @ONLY)
  set_source_files_properties(${out}/${target}_files.S PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${out}/${target}_files.S ${out}/${target}_files.cc)
endfunction()
