// MCP over standard input and output: one message a line.
//
// R1 the output carries protocol and nothing else.
// R2 the end of the input ends the server; what it had read by then is answered.
// R3 a request that is cancelled gets no answer; one that runs is stopped.
// R4 a line longer than a message may be is refused without being kept, and the next one is read.
// R5 ping and server/discover are answered at once, whatever runs; all else is taken in the order it came.
// R6 a client that reads no more has left: nothing is done any more, and that is no failure.
#pragma once

#include <iosfwd>

#include "surface/mcp/endpoint.h"
#include "surface/mcp/transport/errands.h"

namespace alfred::mcp {

// Returns when the input ends: true, or false where the output broke before by other means than R6,
// for which SIGPIPE has to be ignored. Errands are run between messages.
bool serve_stdio(McpEndpoint& endpoint, std::istream& in, std::ostream& out,
                 Errands* errands = nullptr);

}  // namespace alfred::mcp
