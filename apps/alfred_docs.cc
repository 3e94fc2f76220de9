// Prints one generated page of docs/ to standard output: alfred_docs errors | cli | contracts. Run
// by scripts/docs, and by the test that compares the committed pages.
#include <iostream>
#include <string_view>

#include "base/error_table.h"
#include "contracts/contract.h"
#include "surface/cli/cli_markdown.h"

int main(int argc, char** argv) {
  const std::string_view page = argc == 2 ? argv[1] : "";
  if (page == "errors") {
    std::cout << alfred::error_table_markdown();
  } else if (page == "cli") {
    std::cout << alfred::cli::cli_markdown(alfred::cli::groups(), alfred::cli::commands());
  } else if (page == "contracts") {
    std::cout << alfred::contracts_markdown();
  } else {
    std::cerr << "alfred_docs: name one page: errors, cli or contracts\n";
    return 2;
  }
  return 0;
}
