#include "surface/cli/cli.h"

int main(int argc, char** argv) { return alfred::cli::run(argc, argv); }
