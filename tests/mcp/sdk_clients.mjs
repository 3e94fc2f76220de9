// sdk_clients.mjs WORK WIRE TABLE URL
// sdk_clients.mjs WORK WIRE TABLE ALFRED [OPTION…]
// The TypeScript SDK's clients read, change, delete and fill a batch, over HTTP or stdio. Prints a line of JSON for each client.
import { withClients } from './sdk_wire.mjs';

const [work, wire, table, where, ...options] = process.argv.slice(2);
const asked = { count: 0 };
const answer = async () => {
  asked.count += 1;
  return { action: 'accept', content: { approve: true } };
};

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
  seen.finished = (await call('batch', { action: 'finish', batch: batch.id })).finished;
  const wrong = await client.callTool({ name: 'db_read', arguments: { table, refs: [ref] } });
  seen.error = wrong.isError === true && wrong.content[0].text.includes('deleted');
  console.log(JSON.stringify(seen));
}

const target = where.startsWith('http:') ? { work, wire, url: where } : { work, wire, alfred: where, options };
await withClients(target, answer, run);
