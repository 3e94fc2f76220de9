// sdk_clients.mjs WORK ALFRED WIRE TABLE [OPTION…]: the TypeScript SDK's clients read, change, delete and fill a batch over
// stdio. Prints a line of JSON for each client.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [work, alfred, wire, table, ...options] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${work}/package.json`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
// Everything the server sends is kept.
const server = {
  command: 'sh',
  args: ['-c', 'wire=$1; shift; "$0" mcp "$@" | tee -a "$wire"', alfred, wire, ...options],
  env: process.env,
};
const info = { name: 'test', version: '1' };
const yes = { action: 'accept', content: { approve: true } };

async function run(client, name) {
  const seen = { client: name, asked: 0 };
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    if (result.isError) throw new Error(`${name} ${tool}: ${result.content[0].text}`);
    return result.structuredContent;
  };
  seen.tools = (await client.listTools()).tools.length;
  seen.resources = (await client.listResources()).resources.length;
  const made = await call('db_create', { table, data: { name: `By ${name}` } });
  const ref = made.created[0].ref;
  await call('db_update', { table, refs: [ref], data: { name: `Changed by ${name}` } });
  const read = await call('db_read', { table, refs: [ref] });
  seen.name = read.rows[0].name;
  seen.asked = asked.count;
  const gone = await call('db_delete', { table, refs: [ref] });
  seen.asked = asked.count - seen.asked;
  seen.deleted = gone.count;
  const batch = await call('batch', { action: 'declare', table, items: ['a', 'b'] });
  await call('db_create', { table, batch: batch.id, data: [
    { ref: 'a', name: `A of ${name}` }, { ref: 'b', name: `B of ${name}` }] });
  const status = await call('batch', { action: 'status', batch: batch.id });
  seen.items = status.items.map((item) => item.status);
  const wrong = await client.callTool({ name: 'db_read', arguments: { table, refs: [ref] } });
  seen.error = wrong.isError === true && wrong.content[0].text.includes('deleted');
  console.log(JSON.stringify(seen));
  await client.close();
}

const asked = { count: 0 };
const answer = async () => {
  asked.count += 1;
  return yes;
};

{
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
  const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
  const client = new Client(info, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(new StdioClientTransport(server));
  await run(client, 'v1');
}
const { Client } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  const client = new Client(info, {
    versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } },
  });
  client.setRequestHandler('elicitation/create', answer);
  await client.connect(new StdioClientTransport(server));
  await run(client, `v2 ${typeof mode === 'string' ? mode : 'pinned'}`);
}
