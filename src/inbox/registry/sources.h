// Hosts (a provider's account) and sources (one feed under a host), each source with its stream.
//
// R1 a host is one for (type, key), a source one for (host, kind, key): asked for again, it is given back.
// R2 a source that is removed takes its subscriptions along only when that was asked for; its events stay as
//    long as items show them.
// R3 the kinds and the config of a source are those of its host's type (source/source_types.h).
// R4 an agent's own sources, from which its messages and timers come, can be looked at: nobody subscribes to them,
//    appends to them, pauses, changes or removes them. They go with their agent.
#pragma once

#include "inbox/store/page.h"

namespace alfred::inbox {

struct SourceRow {
  std::string id, host, host_type, kind, key, status, stream;
  std::int64_t last_place = 0, pumped = 0;
};

Result<Json> add_host(Sql& sql, const Json& request);
Result<Json> host_details(Sql& sql, std::string_view host);
Result<Json> list_hosts(Sql& sql, const ListPage& page);

Result<Json> add_source(Sql& sql, const Json& request);
Result<Json> change_source(Sql& sql, std::string_view source, const Json& request);
Result<Json> set_source_status(Sql& sql, std::string_view source, std::string_view status);
Result<Json> remove_source(Sql& sql, std::string_view source, bool with_subscriptions);
Result<Json> source_details(Sql& sql, std::string_view source);
Result<Json> list_sources(Sql& sql, const ListPage& page);

// {configRef, config} as they are kept, with their secrets.
Json config_of(Sql& sql, std::string_view source);
// Exec sources that are active.
Json list_programs(Sql& sql);
Result<SourceRow> find_source(Sql& sql, std::string_view source);
// R4. Error: conflict.
Result<void> check_open(const SourceRow& source);
Result<SourceRow> find_open_source(Sql& sql, std::string_view source);
// Whoever decides by how far a stream was pumped holds it: then no pump runs at the same time.
void hold_stream(Sql& sql, std::string_view stream);
// The inbox's own source of this kind and key, made when it is new: direct messages and timers come
// from such.
SourceRow own_source(Sql& sql, std::string_view kind, std::string_view key);
// Removes those of agents that are gone, with their events.
void drop_own_sources(Sql& sql);

}  // namespace alfred::inbox
