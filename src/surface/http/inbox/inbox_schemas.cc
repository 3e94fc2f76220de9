// The JSON Schemas of the inbox's requests and answers.
#include "base/check.h"
#include "surface/http/api/openapi.h"

namespace alfred::http {
namespace {

constexpr std::string_view kRequests = R"json({
"InboxRegister":{"type":"object","additionalProperties":false,"properties":{
  "agentId":{"type":"string","description":"An id of your own; a name is made when there is none"},
  "backend":{"type":"string","enum":["tmux","mcp"]},"tmuxPaneId":{"type":"string"},
  "tmuxSocket":{"type":"string"},"sessionId":{"type":"string","pattern":"^ses_"},
  "webhook":{"$ref":"#/components/schemas/InboxWebhook"},"runtimeKind":{"type":"string"},
  "runtimeSessionId":{"type":"string"},"forceRebind":{"type":"boolean"},
  "notifyLeaseMs":{"type":"integer"},"minUnackedItems":{"type":"integer"}}},
"InboxWebhook":{"type":"object","required":["url"],"additionalProperties":false,"properties":{
  "url":{"type":"string","maxLength":2048,
    "description":"http:// or https://, a host, a port from 1 to 65535 where one is needed; no user, no password"},
  "activationMode":{"type":"string","enum":["activation_only","activation_with_items"]},
  "notifyLeaseMs":{"type":"integer"},"minUnackedItems":{"type":"integer"}}},
"InboxTargetRequest":{"type":"object","required":["kind"],"additionalProperties":false,"properties":{
  "kind":{"type":"string","enum":["webhook","terminal","session","mcp"]},"url":{"type":"string"},
  "activationMode":{"type":"string"},"tmuxPaneId":{"type":"string"},"tmuxSocket":{"type":"string"},
  "forceRebind":{"type":"boolean"},
  "sessionId":{"type":"string"},"notifyLeaseMs":{"type":"integer"},"minUnackedItems":{"type":"integer"}}},
"InboxHostRequest":{"type":"object","required":["hostType","hostKey"],"additionalProperties":false,
  "properties":{"hostType":{"type":"string"},"hostKey":{"type":"string"},
  "configRef":{"type":"string"},"config":{"type":"object"}}},
"InboxSourceRequest":{"type":"object","required":["hostId","streamKind","streamKey"],
  "additionalProperties":false,"properties":{"hostId":{"type":"string","pattern":"^hst_"},
  "streamKind":{"type":"string"},"streamKey":{"type":"string"},"configRef":{"type":"string"},
  "config":{"type":"object"}}},
"InboxSourceChange":{"type":"object","additionalProperties":false,"properties":{
  "configRef":{"type":"string"},"config":{"type":"object"}}},
"InboxSchemaPreview":{"type":"object","required":["sourceRef"],"additionalProperties":false,
  "properties":{"sourceRef":{"type":"string"},"configRef":{"type":"string"},"config":{"type":"object"}}},
"InboxEvent":{"type":"object","required":["sourceNativeId","eventVariant"],"additionalProperties":false,
  "properties":{"sourceNativeId":{"type":"string","maxLength":1024},
  "eventVariant":{"type":"string","maxLength":256},"occurredAt":{"type":"string"},
  "metadata":{"type":"object"},"rawPayload":{"type":"object"},"providerRawPayload":{"type":"object"},
  "deliveryHandle":{"type":"object"}}},
"InboxSubscribe":{"type":"object","required":["agentId","sourceId"],"additionalProperties":false,
  "properties":{"agentId":{"type":"string"},"sourceId":{"type":"string","pattern":"^src_"},
  "shortcut":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"args":{"type":"object"}}},
  "filter":{"type":"object"},"trackedResourceRef":{"type":"string"},"cleanupPolicy":{"type":"object"},
  "startPolicy":{"type":"string","enum":["latest","earliest","at_offset","at_time"]},
  "startOffset":{"type":"integer"},"startTime":{"type":"string"}}},
"InboxResetRequest":{"type":"object","additionalProperties":false,"properties":{
  "startPolicy":{"type":"string","enum":["latest","earliest","at_offset","at_time"]},
  "startOffset":{"type":"integer"},"startTime":{"type":"string"}}},
"InboxMessage":{"type":"object","required":["message"],"additionalProperties":false,"properties":{
  "message":{"type":"string"},"sender":{"type":"string"}}},
"InboxAck":{"type":"object","additionalProperties":false,"description":"Exactly one of its members",
  "properties":{"entryIds":{"type":"array","items":{"type":"string","pattern":"^ent_"}},
  "throughEntryId":{"type":"string","pattern":"^ent_"},"all":{"type":"boolean","enum":[true]}}},
"InboxPolicyChange":{"type":"object","additionalProperties":false,"properties":{
  "enabled":{"type":"boolean"},"windowMs":{"type":"integer"},"maxItems":{"type":"integer"},
  "maxThreadAgeMs":{"type":"integer"}}},
"InboxTimerRequest":{"type":"object","required":["agentId","message"],"additionalProperties":false,
  "description":"With exactly one of at, every and cron","properties":{"agentId":{"type":"string"},
  "message":{"type":"string"},"at":{"type":"string"},"every":{"type":["string","integer"]},
  "cron":{"type":"string"},"timezone":{"type":"string"},"sender":{"type":"string"}}},
"InboxPosted":{"type":"object","description":"Whatever the outside system sends"},
"InboxFollow":{"type":"object","required":["agentId","providerOrKind","template"],
  "additionalProperties":false,"properties":{"agentId":{"type":"string"},
  "providerOrKind":{"type":"string","enum":["github"]},
  "template":{"type":"string","enum":["repo","pr","issue"]},"templateArgs":{"type":"object"},
  "configRef":{"type":"string"},"config":{"type":"object"},
  "startPolicy":{"type":"string","enum":["latest","earliest","at_offset","at_time"]},
  "startOffset":{"type":"integer"},"startTime":{"type":"string"}}},
"InboxHandle":{"type":"object","additionalProperties":false,"properties":{"handle":{"type":"object"},
  "provider":{"type":"string"},"surface":{"type":"string"},"targetRef":{"type":"string"}}},
"InboxDeliveryRequest":{"type":"object","additionalProperties":false,"properties":{
  "handle":{"type":"object"},"provider":{"type":"string"},"surface":{"type":"string"},
  "targetRef":{"type":"string"},"kind":{"type":"string"},"payload":{"type":"object"},
  "operation":{"type":"string"},"input":{"type":"object"}}}
})json";

constexpr std::string_view kAnswers = R"json({
"InboxHealth":{"type":"object","required":["ok"],"additionalProperties":false,"properties":{"ok":{"type":"boolean"}}},
"InboxStatus":{"type":"object","required":["retention","counts","agents","sources","subscriptions",
  "inboxes","activationTargets","activationDispatchStates","streams","consumers","adapters",
  "recentActivations","recentDeliveries","lifecycle"],"additionalProperties":false,"properties":{
  "retention":{"type":"object"},"counts":{"type":"object"},
  "agents":{"type":"array","items":{"type":"object"}},"sources":{"type":"array","items":{"type":"object"}},
  "subscriptions":{"type":"array","items":{"type":"object"}},"inboxes":{"type":"array","items":{"type":"object"}},
  "activationTargets":{"type":"array","items":{"type":"object"}},
  "activationDispatchStates":{"type":"array","items":{"type":"object"}},
  "streams":{"type":"array","items":{"type":"object"}},"consumers":{"type":"array","items":{"type":"object"}},
  "adapters":{"type":"array","items":{"type":"object"}},
  "recentActivations":{"type":"array","items":{"type":"object"}},
  "recentDeliveries":{"type":"array","items":{"type":"object"}},
  "lifecycle":{"type":"object","required":["retiringSubscriptions","offlineAgents"],"additionalProperties":false,
    "properties":{"retiringSubscriptions":{"type":"array","items":{"type":"object"}},
    "offlineAgents":{"type":"array","items":{"type":"object"}}}}}},
"InboxHasMore":{"type":"boolean","description":"Whether there are more: go on behind the last that came"},
"InboxCollected":{"type":"object","required":["deleted","retentionMs","removedAgents","removedSubscriptions"]},
"InboxDead":{"type":"object","required":["dead","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},"dead":{"type":"array"}}},
"InboxRemoved":{"type":"object","required":["removed"],"properties":{"removed":{"type":"boolean"}}},
"InboxAgent":{"type":"object","required":["agentId","status","createdAt"],"properties":{
  "agentId":{"type":"string"},"status":{"type":"string","enum":["active","offline"]},
  "createdAt":{"type":"string"}}},
"InboxAgents":{"type":"object","required":["agents","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},"agents":{"type":"array"}}},
"InboxBox":{"type":"object","required":["inboxId","ownerAgentId"],"properties":{
  "inboxId":{"type":"string","pattern":"^inb_"}}},
"InboxTarget":{"type":"object","required":["targetId","agentId","kind","status"],"properties":{
  "targetId":{"type":"string","pattern":"^tgt_"},
  "kind":{"type":"string","enum":["webhook","terminal","session","mcp"]}}},
"InboxTargets":{"type":"object","required":["targets"],"properties":{
  "targets":{"type":"array","items":{"$ref":"#/components/schemas/InboxTarget"}}}},
"InboxRegistered":{"type":"object","required":["agent","terminalTarget","webhookTarget",
  "activationChannel","inbox"],"properties":{"agent":{"$ref":"#/components/schemas/InboxAgent"},
  "inbox":{"$ref":"#/components/schemas/InboxBox"}}},
"InboxAgentDetails":{"type":"object","required":["agent","activationTargets","inbox"],"properties":{
  "agent":{"$ref":"#/components/schemas/InboxAgent"},
  "activationTargets":{"type":"array","items":{"$ref":"#/components/schemas/InboxTarget"}},
  "inbox":{"$ref":"#/components/schemas/InboxBox"}}},
"InboxResumedAgent":{"type":"object","required":["resumed","agent","targets"]},
"InboxResumedTarget":{"type":"object","required":["targetId","resumed","status","reason"]},
"InboxHost":{"type":"object","required":["hostId","hostType","hostKey"],"properties":{
  "hostId":{"type":"string","pattern":"^hst_"}}},
"InboxHosts":{"type":"object","required":["hosts","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},
  "hosts":{"type":"array","items":{"$ref":"#/components/schemas/InboxHost"}}}},
"InboxHostSchema":{"type":"object","required":["hostType","configFields","streamKinds"]},
"InboxHostDetails":{"type":"object","required":["host","schema","streams"],"properties":{
  "host":{"$ref":"#/components/schemas/InboxHost"},
  "schema":{"$ref":"#/components/schemas/InboxHostSchema"},"streams":{"type":"array"}}},
"InboxSource":{"type":"object","required":["sourceId","hostId","streamKind","streamKey","status"],
  "properties":{"sourceId":{"type":"string","pattern":"^src_"},"streamId":{"type":"string","pattern":"^str_"}}},
"InboxSources":{"type":"object","required":["sources","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},
  "sources":{"type":"array","items":{"$ref":"#/components/schemas/InboxSource"}}}},
"InboxSourceSchema":{"type":"object","required":["sourceType","streamKind","configFields"]},
"InboxSourceDetails":{"type":"object","required":["source","runtime","host","resolvedIdentity",
  "schema","stream","subscriptions","idleState"],"properties":{
  "source":{"$ref":"#/components/schemas/InboxSource"}}},
"InboxChangedSource":{"type":"object","required":["updated","source"]},
"InboxRemovedSource":{"type":"object","required":["removed","sourceId","removedSubscriptions","pausedSource"]},
"InboxPausedSource":{"type":"object","required":["paused","source"]},
"InboxResumedSource":{"type":"object","required":["resumed","source"]},
"InboxPolledSource":{"type":"object","required":["appended","deduped","eventsRead","note"]},
"InboxAppended":{"type":"object","required":["appended","deduped","lastOffset"],
  "additionalProperties":false,"properties":{"appended":{"type":"integer","enum":[0,1]},
  "deduped":{"type":"integer","enum":[0,1]},"lastOffset":{"type":"integer"}}},
"InboxSubscription":{"type":"object","required":["subscriptionId","agentId","sourceId","filter"],
  "properties":{"subscriptionId":{"type":"string","pattern":"^sub_"}}},
"InboxSubscriptions":{"type":"object","required":["subscriptions","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},
  "subscriptions":{"type":"array","items":{"$ref":"#/components/schemas/InboxSubscription"}}}},
"InboxFollowed":{"type":"object","required":["templateId","agentId","sources","subscriptions"],
  "properties":{"sources":{"type":"array"},"subscriptions":{"type":"array"}}},
"InboxConsumer":{"type":"object","required":["consumerId","committedOffset","nextOffset"],
  "properties":{"consumerId":{"type":"string","pattern":"^con_"}}},
"InboxSubscriptionDetails":{"type":"object","required":["subscription","source","inbox",
  "activationTargets","consumer","lag"],"properties":{
  "subscription":{"$ref":"#/components/schemas/InboxSubscription"},
  "consumer":{"$ref":"#/components/schemas/InboxConsumer"}}},
"InboxPolled":{"type":"object","required":["eventsRead","matched","inboxItemsCreated",
  "committedOffset","note"]},
"InboxLag":{"type":"object","required":["subscriptionId","consumer","latestOffset","lag"],
  "properties":{"consumer":{"$ref":"#/components/schemas/InboxConsumer"}}},
"InboxReset":{"type":"object","required":["subscription","consumer","lag"]},
"InboxDetails":{"type":"object","required":["agent","inbox","itemCounts"]},
"InboxItem":{"type":"object","required":["itemId","sourceId","sourceNativeId","eventVariant",
  "occurredAt","metadata","rawPayload"],"properties":{"itemId":{"type":"string","pattern":"^itm_"}}},
"InboxEntry":{"type":"object","required":["entryId","inboxId","agentId","sequence","kind","count","items"],
  "properties":{"entryId":{"type":"string","pattern":"^ent_"},
  "kind":{"type":"string","enum":["item","digest_snapshot"]},
  "items":{"type":"array","items":{"$ref":"#/components/schemas/InboxItem"}}}},
"InboxEntries":{"type":"object","required":["entries","hasMore"],"additionalProperties":false,
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},
  "entries":{"type":"array","items":{"$ref":"#/components/schemas/InboxEntry"}}}},
"InboxSent":{"type":"object","required":["itemId","inboxId","activated"]},
"InboxAcked":{"type":"object","required":["acked"],"properties":{"acked":{"type":"integer"}}},
"InboxPolicy":{"type":"object","required":["enabled","windowMs","maxItems","maxThreadAgeMs"]},
"InboxCompacted":{"type":"object","required":["deleted","retentionMs"]},
"InboxTimer":{"type":"object","required":["scheduleId","agentId","message","status"],"properties":{
  "scheduleId":{"type":"string","pattern":"^sch_"}}},
"InboxTimers":{"type":"object","required":["timers","hasMore"],
  "properties":{"hasMore":{"$ref":"#/components/schemas/InboxHasMore"},
  "timers":{"type":"array","items":{"$ref":"#/components/schemas/InboxTimer"}}}},
"InboxChangedTimer":{"type":"object","required":["updated","timer"],"properties":{
  "timer":{"$ref":"#/components/schemas/InboxTimer"}}},
"InboxDelivery":{"type":"object","required":["deliveryId","status","operation","handle","note"],
  "properties":{"deliveryId":{"type":"string","pattern":"^dlv_"},
  "status":{"type":"string","enum":["delivered","failed"]}}},
"InboxOperations":{"type":"object","required":["sourceId","handle","operations"]}
})json";

}  // namespace

JsonObject inbox_schemas() {
  JsonObject out;
  for (const std::string_view text : {kRequests, kAnswers}) {
    const Result<Json> parsed = parse_json(text, JsonLimits::none());
    ALFRED_CHECK(parsed.has_value(), "the schemas are JSON");
    for (const auto& [name, schema] : parsed->as_object()) out[name] = schema;
  }
  return out;
}

}  // namespace alfred::http
