// For tests only: a folder with a database of somebody's own, and services on it whose state store
// fails when it is told to.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/open_place.h"
#include "storage/open_store.h"

namespace alfred {

// Fails the write of a number (1, 2, …) and all after it; 0: none.
class FailingState final : public StateStore {
 public:
  FailingState(std::shared_ptr<StateStore> inner, int fails_at)
      : inner_(std::move(inner)), fails_at_(fails_at) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    ++writes_;
    if (fails_at_ != 0 && writes_ >= fails_at_) return fail(ErrorCode::storage, "the disk is gone");
    return inner_->write(call, closure);
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<std::optional<std::string>> answer_of(OpId op) override { return inner_->answer_of(op); }

 private:
  std::shared_ptr<StateStore> inner_;
  int fails_at_;
  int writes_ = 0;
};

// Calls somebody before each write, with its number (1, 2, …).
class HookedState final : public StateStore {
 public:
  using Hook = std::function<void(int write)>;
  HookedState(std::shared_ptr<StateStore> inner, Hook hook)
      : inner_(std::move(inner)), hook_(std::move(hook)) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    hook_(++writes_);
    return inner_->write(call, closure);
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<std::optional<std::string>> answer_of(OpId op) override { return inner_->answer_of(op); }

 private:
  std::shared_ptr<StateStore> inner_;
  Hook hook_;
  int writes_ = 0;
};

class OwnDatabase {
 public:
  // Without a URL: a file.
  explicit OwnDatabase(std::string url = "") {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-own-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    url_ = url.empty() ? file() : std::move(url);
    add_tables(pack());
  }
  ~OwnDatabase() { std::filesystem::remove_all(folder_); }
  OwnDatabase(const OwnDatabase&) = delete;
  OwnDatabase& operator=(const OwnDatabase&) = delete;

  static PackTables pack() {
    return {.name = "own",
            .version = 1,
            .sql =
                "CREATE TABLE authors (id integer PRIMARY KEY, name text NOT NULL);"
                "CREATE TABLE books (id integer PRIMARY KEY, title text NOT NULL, "
                "author_id integer REFERENCES authors (id));"
                "CREATE TABLE notes (id uuid PRIMARY KEY, body text NOT NULL);",
            .owners = {}};
  }

  // As whoever looks after it would.
  void add_tables(PackTables tables) {
    StoreOptions options;
    options.is_ours = true;
    options.packs.push_back(std::move(tables));
    EXPECT_TRUE(open_records(parse_database_url(url_).value(), options));
  }

  std::string file() const { return folder_ + "/own.db"; }
  std::string data_folder() const { return folder_ + "/data"; }
  std::string shared_file() const { return folder_ + "/shared.db"; }  // of ours, when it is opened

  std::unique_ptr<RecordService> open(int fails_at = 0, std::string workspace = "",
                                      bool has_ops = false) {
    return open_wrapped(options(std::move(workspace), has_ops),
                        [&](std::shared_ptr<StateStore> state) {
                          return std::make_unique<FailingState>(std::move(state), fails_at);
                        });
  }
  std::unique_ptr<RecordService> open_hooked(const HookedState::Hook& hook) {
    return open_wrapped(options(""), [&](std::shared_ptr<StateStore> state) {
      return std::make_unique<HookedState>(std::move(state), hook);
    });
  }
  RecordPlace place_of(std::string user) {
    PlaceOptions named = options("");
    named.user = std::move(user);
    Result<RecordPlace> place = open_place(named, clock_, random_);
    EXPECT_TRUE(place) << place.error().message;
    return std::move(*place);
  }
  std::unique_ptr<RecordService> open_for(std::string user) {
    return open_at(place_of(std::move(user)));
  }
  using WrapRows = std::function<std::shared_ptr<RecordStore>(std::shared_ptr<RecordStore>)>;
  std::unique_ptr<RecordService> open_rows(const WrapRows& wrap, bool has_ops) {
    Result<RecordPlace> place = open_place(options("", has_ops), clock_, random_);
    EXPECT_TRUE(place) << place.error().message;
    place->rows = wrap(std::move(place->rows));
    return open_at(std::move(*place));
  }

 private:
  PlaceOptions options(std::string workspace, bool has_ops = false) const {
    PlaceOptions options;
    options.allows_op_table = has_ops;
    options.db = url_;
    options.data_dir = data_folder();
    options.workspace = std::move(workspace);
    return options;
  }
  using Wrap = std::function<std::shared_ptr<StateStore>(std::shared_ptr<StateStore>)>;
  std::unique_ptr<RecordService> open_wrapped(const PlaceOptions& options, const Wrap& wrap) {
    Result<RecordPlace> place = open_place(options, clock_, random_);
    EXPECT_TRUE(place) << place.error().message;
    place->own_state = wrap(std::move(place->own_state));
    return open_at(std::move(*place));
  }
  std::unique_ptr<RecordService> open_at(RecordPlace place) {
    Result<std::unique_ptr<RecordService>> service =
        RecordService::open(std::move(place), clock_, random_);
    EXPECT_TRUE(service) << service.error().message;
    return std::move(*service);
  }

  std::string folder_;
  std::string url_;
  SystemClock clock_;
  OsRandom random_;
};

inline Json json_for_tests(std::string_view text) {
  return parse_json(text, JsonLimits::none()).value();
}

// The answer's rows as text, or the error.
inline std::string read_for_tests(RecordService& service, std::string_view params) {
  const Result<std::string> answer =
      service.call("db_read", json_for_tests(params), OpId::random());
  if (!answer) return std::string(error_name(answer.error().code)) + ": " + answer.error().message;
  return write_json(json_for_tests(*answer).at("rows"));
}

}  // namespace alfred
