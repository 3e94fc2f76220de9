// The TypeScript SDK's clients, version 1 and version 2 (legacy, auto, pinned), over stdio or HTTP. Everything they are sent is
// kept in a file.
//   connect(TARGET, ASKED) → clients by name; TARGET: {work, wire, url} or {work, wire, alfred, options}
import { createRequire } from 'node:module';
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const info = { name: 'test', version: '1' };

// fetch that keeps heads and bodies, streams included.
function keeping(wire) {
  return async (url, init) => {
    const response = await fetch(url, init);
    const keep = (text) => appendFileSync(wire, text);
    keep([...response.headers].map(([name, value]) => `${name}: ${value}\n`).join(''));
    if (!response.body) return response;
    const decoder = new TextDecoder();
    const kept = response.body.pipeThrough(new TransformStream({
      transform(piece, controller) {
        keep(decoder.decode(piece, { stream: true }));
        controller.enqueue(piece);
      },
    }));
    return new Response(kept, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

// Each client is connected, given to `run`, and closed. `answer` answers what the server asks the user.
export async function withClients({ work, wire, url, alfred, options }, answer, run) {
  const require = createRequire(pathToFileURL(`${work}/package.json`));
  const load = (name) => import(pathToFileURL(require.resolve(name)));
  const stdio = {
    command: 'sh',
    args: ['-c', 'wire=$1; shift; "$0" mcp "$@" | tee -a "$wire"', alfred, wire, ...(options ?? [])],
    env: process.env,
  };
  const http = { fetch: keeping(wire), requestInit: { headers: { Authorization: `Bearer ${process.env.TOKEN}` } } };
  {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
    const client = new Client(info, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, answer);
    const transport = url ? new StreamableHTTPClientTransport(new URL(url), http) : new StdioClientTransport(stdio);
    await client.connect(transport);
    await run(client, 'v1');
    if (url) await transport.terminateSession();
    await client.close();
  }
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
    const client = new Client(info, {
      versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } },
    });
    client.setRequestHandler('elicitation/create', answer);
    await client.connect(url ? new StreamableHTTPClientTransport(new URL(url), http) : new StdioClientTransport(stdio));
    await run(client, `v2 ${typeof mode === 'string' ? mode : 'pinned'}`);
    await client.close();
  }
}
