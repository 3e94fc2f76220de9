// Following: a template becomes a host, a source and a subscription, those that are there being
// used again.
//
// R1 all of it is one transaction; asked for again, nothing is made twice.
#pragma once

#include "inbox/store/sql.h"

namespace alfred::inbox {

// {agentId, providerOrKind, template, templateArgs?, configRef?, config?, startPolicy?, …}
Result<Json> follow(Sql& sql, const Json& request);

}  // namespace alfred::inbox
