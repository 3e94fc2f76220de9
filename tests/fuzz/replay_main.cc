// Runs a fuzz target without libFuzzer, so that the ordinary test run covers it: every file of the
// corpus folder, then seeded mutations of them.
//   <target> CORPUS_DIR     ALFRED_TEST_SIZE=quick|modest|all   ALFRED_TEST_SEED=<number>
// R1 the same seed gives the same inputs; the seed is printed.
// R2 when the target dies, the input it died of is written to <target>.crash.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using namespace std::string_view_literals;
using Bytes = std::string;

constexpr std::size_t kLongestInput = 1 << 16;

std::string current_input;
std::string crash_file;

void keep_current_input() {
  std::ofstream(crash_file, std::ios::binary) << current_input;
  std::cerr << "replay: the input that failed is in " << crash_file << " (" << current_input.size()
            << " bytes)\n";
}

void on_abort(int) {
  keep_current_input();
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void try_one(const Bytes& input) {
  current_input = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string_view setting(const char* name, std::string_view fallback) {
  const char* value = std::getenv(name);
  return value == nullptr ? fallback : value;
}

int mutation_count() {
  const std::string_view size = setting("ALFRED_TEST_SIZE", "modest");
  if (size == "quick") return 500;
  return size == "all" ? 100'000 : 5'000;
}

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Bytes> corpus;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<Bytes>& corpus) : random_(seed), corpus_(corpus) {}

  Bytes next() {
    Bytes input = pick();
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) change(input);
    input.resize(std::min(input.size(), kLongestInput));
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const Bytes& pick() { return corpus_[below(corpus_.size())]; }
  std::size_t place(const Bytes& input) { return below(input.size() + 1); }

  char byte() {
    // Bytes that parsers care about come half of the time.
    static constexpr std::string_view kTelling = "\"\\{}[]:,_-0129aZ \n\t\0\x7f\x80\xc3\xed\xff"sv;
    return below(2) == 0 ? kTelling[below(kTelling.size())] : static_cast<char>(below(256));
  }

  void change(Bytes& input) {
    const std::size_t at = place(input);
    switch (below(6)) {
      case 0: input.insert(at, 1, byte()); return;
      case 1: input.erase(at, 1 + below(8)); return;
      case 2: input.insert(at, input.substr(place(input), below(32))); return;
      case 3: {
        const Bytes& other = pick();
        input = input.substr(0, at) + other.substr(place(other));
        return;
      }
      case 4:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        return;
      default:
        if (at < input.size()) input[at] = byte();
    }
  }

  std::mt19937_64 random_;
  const std::vector<Bytes>& corpus_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::cerr << "replay: name the corpus folder, and put a few small inputs into it\n";
    return 2;
  }
  crash_file = std::filesystem::path(argv[0]).filename().string() + ".crash";
  std::signal(SIGABRT, on_abort);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_current_input);

  const std::vector<Bytes> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::cerr << "replay: the corpus folder is empty\n";
    return 2;
  }
  const std::uint64_t seed = std::stoull(std::string(setting("ALFRED_TEST_SEED", "1")));
  const int mutations = mutation_count();
  std::cout << "replay: " << corpus.size() << " files and " << mutations
            << " mutations of them, ALFRED_TEST_SEED=" << seed << std::endl;
  try_one({});
  for (const Bytes& input : corpus) try_one(input);
  Mutator mutator(seed, corpus);
  for (int i = 0; i < mutations; ++i) try_one(mutator.next());
  return 0;
}
