// McpFeatures: what a server offers, apart from how it is spoken. The endpoint knows the protocol
// and both of its eras; a host of tools implements this.
//
// R1 a call that needs the client (an elicitation, say) returns what it asks for and what it wants to
//    remember; it is called again with the answers. It never waits, so one thread serves all.
// R2 what a call did wrong is a tool's result with isError; RpcError is for messages that are wrong.
// R3 may_leave has the last word on every text that goes out.
// R4 one call at a time; a host that has several for the same things lends each to one (McpHost).
// R5 a call that its client took back ends soon, with whatever: nobody is told (base/stop_scope.h).
// R6 one that ends by an exception is answered as an internal error, and distrust() is called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "surface/mcp/message.h"
#include "surface/mcp/transport/param_headers.h"

namespace alfred::mcp {

// Something that clients may have asked to be told of.
struct Notice {
  std::string method{};  // "notifications/resources/updated"
  std::string uri{};     // of the resource, for resources/updated
};

// What a call may know and do while it runs.
struct CallScope {
  bool is_modern = false;
  const JsonObject& capabilities;  // the client's
  const JsonObject& inputs;        // the answers to what the call asked for, by key
  const Json& kept;                // what the call kept when it asked; null at first
  std::function<void(double done, double total)> progress{};
  std::function<void(std::string_view level, const Json& what)> log{};
  std::function<void(const Notice& notice)> tell{};
  std::function<bool()> is_cancelled = [] { return false; };
};

// R1. Requests by key: {"approve":{"method":"elicitation/create","params":{…}}}.
struct InputRequired {
  JsonObject requests{};
  Json kept{};
};

// The result of a tool that succeeded, whose members are JSON already: "content":[…],…
struct WrittenResult {
  std::string members{};
};

using McpOutcome = std::variant<JsonObject, InputRequired, RpcError, WrittenResult>;

struct ServerCard {
  std::string name{};
  std::string title{};
  std::string version{};
  std::string instructions{};
  JsonObject capabilities{};
  std::size_t page_size = 100;     // of lists
  std::int64_t cache_ms = 60'000;  // how long a list may be kept
};

class McpFeatures {
 public:
  McpFeatures() = default;
  McpFeatures(const McpFeatures&) = delete;
  McpFeatures& operator=(const McpFeatures&) = delete;
  virtual ~McpFeatures() = default;

  virtual const ServerCard& card() const = 0;
  // Lists have the same order every time; each entry has a name or a uri of its own.
  virtual JsonArray tools() = 0;
  virtual JsonArray resources() = 0;
  virtual JsonArray resource_templates() = 0;
  virtual JsonArray prompts() = 0;

  virtual McpOutcome call_tool(std::string_view name, const JsonObject& arguments,
                               const CallScope& scope) = 0;
  // No such resource: RpcError with the code resource_missing, whatever the era.
  virtual McpOutcome read_resource(const std::string& uri, const CallScope& scope) = 0;
  // Whether clients will be told when it changes: it is there, or it may come, as an inbox does.
  virtual bool may_be_watched(const std::string& uri) = 0;
  virtual McpOutcome get_prompt(std::string_view name, const JsonObject& arguments,
                                const CallScope& scope) = 0;
  // {"completion":{"values":[…],"total":n,"hasMore":…}} for {"ref":…,"argument":{"name","value"}}.
  virtual McpOutcome complete(const JsonObject& params) = 0;

  virtual bool may_leave(std::string_view text) = 0;
  // A call was ended by an exception: what it left in memory is to be loaded again. Throws nothing.
  virtual void distrust() {}
  // The operation by which something was changed since this was asked last; empty: nothing was.
  virtual std::string take_done() { return {}; }

  // Where several are for the same things (R4): how far this one knows what was done, and its
  // coming to know what the others did.
  virtual std::int64_t place() const { return 0; }
  virtual Result<void> catch_up() { return {}; }
};

// Lends what it has, each to one call at a time.
class McpHost {
 public:
  McpHost() = default;
  McpHost(const McpHost&) = delete;
  McpHost& operator=(const McpHost&) = delete;
  virtual ~McpHost() = default;

  virtual const ServerCard& card() const = 0;
  virtual const ParamHeaders& param_headers() const = 0;
  // Waits while all are lent; what is let go is back. Error: it cannot know what was done lately.
  virtual Result<std::shared_ptr<McpFeatures>> lend() = 0;
};

// Whether the client shows forms to its user.
bool can_elicit(const JsonObject& capabilities);

}  // namespace alfred::mcp
