#include "surface/cli/serve/serve_commands.h"

#include <unistd.h>

#include <charconv>
#include <mutex>

#include <fmt/format.h>

#include "base/keyed_random.h"
#include "engine/session/sweep.h"
#include "interpreter/rules/rules_interpreter.h"
#include "surface/cli/chat/choose_interpreter.h"
#include "surface/cli/config/paths.h"
#include "surface/cli/config/session_tuning.h"
#include "surface/cli/mcp/record_server.h"
#include "surface/cli/named_place.h"
#include "surface/cli/serve/few_heaps.h"
#include "surface/cli/serve/mcp_mount.h"
#include "surface/cli/serve/served_inbox.h"
#include "surface/cli/serve/session_recordings.h"
#include "surface/cli/terminal/signals.h"
#include "surface/cli/terminal/terminal.h"
#include "surface/http/api/api.h"
#include "surface/http/gate/token_file.h"
#include "surface/http/wire/server.h"
#include "surface/mcp/inbox/inbox_resources.h"

namespace alfred::cli {
namespace {

constexpr std::uint16_t kPort = 8177;
constexpr std::int64_t kWaitsMs = 60LL * 60 * 1000;

Result<std::uint16_t> port_of(const Arguments& arguments) {
  const std::string given = arguments.text("--port");
  if (given.empty()) return kPort;
  std::uint16_t port = 0;
  const auto [end, wrong] = std::from_chars(given.data(), given.data() + given.size(), port);
  if (wrong == std::errc() && end == given.data() + given.size()) return port;
  return fail(ErrorCode::usage, "A port is a number, 0 to 65535; 0 takes one that is free.",
              "--port");
}

Result<http::ServerOptions> listening(const Arguments& arguments) {
  http::ServerOptions options;
  const Result<std::uint16_t> port = port_of(arguments);
  if (!port) return Unexpected(port.error());
  options.port = *port;
  options.socket_path = arguments.text("--socket");
  if (arguments.has("--address"))
    options.address = arguments.text("--address");
  else if (!options.socket_path.empty() && !arguments.has("--port"))
    options.address.clear();
  if (arguments.has("--no-token") && !options.address.empty() &&
      !http::is_loopback(options.address))
    return fail(ErrorCode::usage,
                "Without a token it serves loopback or a Unix socket only. Leave --no-token out.",
                "--no-token");
  options.is_end_wanted = [] { return is_end_wanted() || is_interrupted(); };
  return options;
}

Result<std::string> token_path(const Arguments& arguments) {
  if (arguments.has("--token-file")) return arguments.text("--token-file");
  const Result<std::string> folder = data_dir("");
  if (!folder) return Unexpected(folder.error());
  return *folder + "/http_token";
}

// Everything that a server of this process is made of, in the order it is needed.
struct Serving {
  explicit Serving(Config one) : config(std::move(one)) {}
  Ports ports{};
  Config config;
  Environment environment = system_environment;
  RecordPlace place{};
  SessionTuning tuning{};
  std::string token{};
  std::string token_file{};
  std::mutex mutex{};
  // Made when first asked for, and anew for other tables; shared meanwhile: they keep nothing.
  std::shared_ptr<Interpreter> rules{};
  std::shared_ptr<const Schema> ruled{};        // the tables that they know
  std::unique_ptr<SessionRecordings> replay{};  // what turns are answered from, or nothing
};

// With the place that they look into.
struct PlacedRules {
  RecordPlace place;
  std::unique_ptr<Interpreter> rules;
};

Result<std::shared_ptr<Interpreter>> rules_of(Serving& serving) {
  const std::scoped_lock lock(serving.mutex);
  const auto placed = std::make_shared<PlacedRules>(PlacedRules{serving.place, nullptr});
  follow_tables(placed->place);
  if (serving.rules && serving.ruled == placed->place.schema) return serving.rules;
  auto rules = RulesInterpreter::make(*placed->place.pack, *placed->place.schema);
  if (!rules) return Unexpected(std::move(rules).error());
  placed->rules = std::move(*rules);
  serving.ruled = placed->place.schema;
  serving.rules = std::shared_ptr<Interpreter>(placed, placed->rules.get());
  return serving.rules;
}

http::ApiWorld world_of(Serving& serving) {
  const std::string own = interpreter_name(serving.config, serving.environment);
  http::ApiWorld world{serving.place, serving.ports.clock, serving.ports.random};
  world.interpreter_name = own;
  world.zone = system_zone(serving.environment);
  world.tuning = serving.tuning;
  const bool is_rules = own == "rules" && serving.replay == nullptr;
  world.interpreter = [&serving, own, is_rules](
                          const std::string& name,
                          const http::TurnWatch& watch) -> Result<std::shared_ptr<Interpreter>> {
    if (name == "rules" || (is_rules && name.empty())) return rules_of(serving);
    if (!name.empty() && name != own) return std::shared_ptr<Interpreter>();
    if (serving.replay != nullptr) return serving.replay->open(watch.session, watch.is_cancelled);
    Result<Speaker> speaker =
        choose_interpreter({serving.config, serving.environment, serving.place, "",
                            watch.is_cancelled, watch.on_token});
    if (!speaker) return Unexpected(std::move(speaker).error());
    return std::shared_ptr<Interpreter>(std::move(speaker->interpreter));
  };
  if (!serving.token.empty()) world.secrets.push_back(serving.token);
  if (const auto key = model_key(serving.config, serving.environment); key && *key)
    world.secrets.push_back((*key)->value);
  return world;
}

// What a stop left running is finished as far as nobody has to be asked (I-40).
void sweep(Serving& serving, const Arguments& arguments, http::JsonLog& log) {
  const auto open = [&](const std::string& user) -> Result<RecordPlace> {
    if (user == serving.place.caller.user.value_or("")) return serving.place;
    Result<PlaceOptions> options = named_place(arguments);
    if (!options) return Unexpected(std::move(options).error());
    options->user = user;
    return open_place(*options, serving.ports.clock, serving.ports.random);
  };
  SweepOptions options;
  options.waits_ms = kWaitsMs;
  options.tuning = serving.tuning;
  const auto swept =
      sweep_turns(serving.place, {open, serving.ports.clock, serving.ports.random}, options);
  if (!swept) return;
  for (const SweptTurn& one : *swept)
    log.write("info",
              JsonObject{{"event", "swept"},
                         {"session", one.session},
                         {"turn", one.turn},
                         {"end", swept_name(one.end)}},
              "");
}

std::string where(const http::ServerOptions& options, std::uint16_t port) {
  std::string out;
  const bool is_six = options.address.find(':') != std::string::npos;
  if (!options.address.empty())
    out = is_six ? fmt::format("http://[{}]:{}", options.address, port)
                 : fmt::format("http://{}:{}", options.address, port);
  if (!options.socket_path.empty()) out += (out.empty() ? "" : " and ") + options.socket_path;
  return out;
}

// Where a browser finds the page. Behind the # the token never leaves the browser; what is no
// terminal may be a log, which holds none.
std::string page_line(const Serving& serving, const http::ServerOptions& options,
                      std::uint16_t port) {
  if (options.address.empty()) return "";
  http::ServerOptions alone = options;
  alone.socket_path.clear();
  const std::string page = where(alone, port) + "/";
  if (serving.token.empty()) return "The page is " + page + "\n";
  if (!look_at_terminal(serving.environment).is_output)
    return "The page is " + page + " and asks for the token\n";
  return "The page is " + page + "#token=" + serving.token + "\n";
}

http::Gate gate_for(const Serving& serving, const Arguments& arguments,
                    const http::ServerOptions& options, std::uint16_t port) {
  http::GateOptions gate{serving.token, {}};
  if (!options.address.empty()) gate.hosts = http::own_hosts(options.address, port);
  for (const std::string& name : arguments.all("--host")) gate.hosts.push_back(name);
  return http::Gate(std::move(gate));
}

// A handler that is there before the port is known, which the gate needs.
class LateApi final : public http::HttpHandler {
 public:
  std::unique_ptr<http::Api> api;
  http::Lane lane_of(const http::HttpRequest& request) const override {
    return api->lane_of(request);
  }
  std::optional<http::HttpResponse> refuse_head(const http::HttpRequest& head) override {
    return api->refuse_head(head);
  }
  http::HttpResponse answer(const http::HttpRequest& request) override {
    return api->answer(request);
  }
  std::vector<http::HttpResponse> answer_all(
      std::span<const http::HttpRequest* const> requests) override {
    return api->answer_all(requests);
  }
  http::HttpResponse refuse(const http::Refusal& refusal) override { return api->refuse(refusal); }
  void drain() override { api->drain(); }
  void last_call() override { api->last_call(); }
};

std::unique_ptr<McpMount> mcp_of(Serving& serving, const Arguments& arguments,
                                 std::vector<std::string> secrets, Inbox& inbox) {
  const auto codes = std::make_shared<mcp::ApprovalCodes>(serving.ports.random);
  const auto open = [&serving, &arguments, codes, secrets = std::move(secrets),
                     &inbox]() -> Result<std::unique_ptr<mcp::McpFeatures>> {
    Result<std::unique_ptr<mcp::McpFeatures>> records =
        open_record_server(serving.place, arguments, serving.ports, secrets, codes);
    if (!records) return records;
    return std::make_unique<mcp::InboxResources>(std::move(*records), inbox);
  };
  return std::make_unique<McpMount>(
      open, serving.place.caller.user.value_or(""),
      McpMount::Ports{serving.ports.clock, serving.ports.random, &inbox});
}

int serve(Serving& serving, const Arguments& arguments, const Streams& streams) {
  const Result<http::ServerOptions> options = listening(arguments);
  if (!options) return report(options.error(), streams.err);
  const SignalWatch signals;
  LateApi handler;
  Result<std::unique_ptr<http::Server>> server = http::Server::open(*options, handler);
  if (!server) {
    report(server.error(), streams.err);
    return kBadUsage;
  }
  const std::uint16_t port = (*server)->port();
  http::ApiWorld world = world_of(serving);
  http::JsonLog log(streams.err, serving.ports.clock, world.secrets);
  http::Spans spans(http::span_options(serving.environment), serving.ports.clock,
                    serving.ports.random);
  sweep(serving, arguments, log);
  ServedInbox inbox(serving.place, serving.ports.clock, serving.ports.random,
                    options->is_end_wanted);
  world.inbox = &inbox.door();
  std::unique_ptr<McpMount> mcp = mcp_of(serving, arguments, world.secrets, inbox.inbox());
  McpMount& mounted = *mcp;
  handler.api =
      std::make_unique<http::Api>(std::move(world), gate_for(serving, arguments, *options, port),
                                  http::Api::Watchers{log, spans});
  handler.api->mount = std::move(mcp);
  handler.api->counts = [one = server->get()] { return one->counts(); };
  streams.out << "Listening on " << where(*options, port) << "\n";
  if (!serving.token_file.empty()) streams.out << "The token is in " << serving.token_file << "\n";
  streams.out << page_line(serving, *options, port) << std::flush;
  // A recording answers what was recorded, and nothing that comes in meanwhile.
  inbox.start(*handler.api, {.wakes_sessions = serving.replay == nullptr,
                             .runs_programs = arguments.has("--exec")});
  const bool is_drained = (*server)->run();
  log.write("info", JsonObject{{"event", "stopped"}, {"drained", is_drained}}, "");
  const bool is_logged = log.flush();
  // Threads that did not end in time still use all this. Every move is committed; what is still
  // running goes on from there at the next start.
  if (!is_drained) ::_exit(kDone);
  mounted.stop_watching();
  inbox.stop();
  // The log's thread stands in a write that nobody reads, and would be waited for.
  if (!is_logged) ::_exit(kDone);
  return kDone;
}

int run_serve(const Arguments& arguments, const Streams& streams) {
  keep_few_heaps();
  Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return report(config.error(), streams.err);
  if (const auto options = record_server_options(arguments); !options)
    return report(options.error(), streams.err);
  Serving serving(std::move(*config));
  if (arguments.has("--replay"))
    serving.replay = std::make_unique<SessionRecordings>(arguments.text("--replay"));
  Result<SessionTuning> tuning = session_tuning(serving.config);
  if (!tuning) return report(tuning.error(), streams.err);
  serving.tuning = std::move(*tuning);
  if (!arguments.has("--no-token")) {
    const Result<std::string> path = token_path(arguments);
    if (!path) return report(path.error(), streams.err);
    const Result<http::Token> token = http::token_in(*path, serving.ports.random);
    if (!token) {
      report(token.error(), streams.err);
      return kBadUsage;
    }
    serving.token = token->value;
    serving.token_file = *path;
  }
  Result<RecordPlace> place = open_named_place(arguments, streams, serving.ports);
  if (!place) return report(place.error(), streams.err);
  serving.place = std::move(*place);
  return serve(serving, arguments, streams);
}

}  // namespace

std::vector<Command> serve_commands() {
  return {{"",
           "serve",
           "Serve the page, turns, records, MCP and the inbox over HTTP, until SIGTERM or Ctrl-C",
           {{"--address", "IP", "Where to listen; 127.0.0.1 when not given"},
            {"--port", "N", "Which port; 8177 when not given, 0 takes one that is free"},
            {"--socket", "FILE", "A Unix socket, for its owner only; alone unless --port is given"},
            {"--host", "NAME:PORT", "A name that requests may call the server by", false, true},
            {"--no-token", "", "Ask nobody for a token; on loopback and Unix sockets only"},
            {"--token-file", "FILE", "Where the token is kept; made when there is none"},
            {"--interpreter", "NAME", "Who answers: rules or chat_http"},
            {"--replay", "FILE",
             "Answer from such a file of `chat --record`, each session from its beginning"},
            {"--prompts", "DIR", "A folder with prompts of your own"},
            {"--db", "URL", "The database; when not given, the embedded pack"},
            {"--pack", "DIR", "The pack that describes it"},
            {"--user", "NAME", "Whose sessions and rows; me when not given"},
            {"--workspace", "NAME", "Whose refs /mcp uses; `default` when not given"},
            {"--approve", "WHAT",
             "What the user of an MCP client is asked about first: always, destructive (deletes; "
             "when not given) or never"},
            {"--turns", "", "Offer whole turns over /mcp too, for a client that lends its model"},
            {"--exec", "", "Run the programs of the inbox's exec sources"}},
           run_serve,
           true}};
}

}  // namespace alfred::cli
