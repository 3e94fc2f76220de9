// The functions of libpq, which is loaded when they are first asked for (base/late_library.h).
#pragma once

#include <libpq-fe.h>

#include "alfred/error.h"

namespace alfred {

#define ALFRED_PQ_CALLS(each)                                                                   \
  each(PQcancel) each(PQclear) each(PQcmdStatus) each(PQcmdTuples) each(PQconndefaults)         \
      each(PQconnectdbParams) each(PQconninfoFree) each(PQconninfoParse) each(PQconsumeInput)   \
          each(PQenterPipelineMode) each(PQerrorMessage) each(PQexec) each(PQexitPipelineMode)  \
              each(PQfinish) each(PQfname) each(PQfreeCancel) each(PQftable) each(PQftablecol)  \
                  each(PQftype) each(PQgetCancel) each(PQgetResult) each(PQgetisnull)           \
                      each(PQgetlength) each(PQgetvalue) each(PQisBusy) each(PQnfields)         \
                          each(PQntuples) each(PQpipelineStatus) each(PQpipelineSync)           \
                              each(PQresultErrorField) each(PQresultStatus) each(PQsendPrepare) \
                                  each(PQsendQueryParams) each(PQsendQueryPrepared)             \
                                      each(PQsetNoticeReceiver) each(PQsocket) each(PQstatus)

// Each under its own name and with its own type.
struct PqCalls {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it declares what it is given
#define ALFRED_CALL(name) decltype(&::name) name = nullptr;
  ALFRED_PQ_CALLS(ALFRED_CALL)
#undef ALFRED_CALL
};

// The same table at every call, from any thread; or why there is none.
const Result<PqCalls>& pq_calls();
// The table, for whoever has something that libpq made or has asked pq_calls() before.
const PqCalls& pq();

}  // namespace alfred
