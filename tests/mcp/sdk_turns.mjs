// sdk_turns.mjs WORK WIRE ANSWERS URL
// sdk_turns.mjs WORK WIRE ANSWERS ALFRED [OPTION…]
// The TypeScript SDK's clients as hosts that lend their model: a scripted one, whose answers by node are in a file of JSON. In
// them NAME stands for the client's own and its transport. Prints a line of JSON for each client.
import { readFileSync } from 'node:fs';
import { withClients } from './sdk_wire.mjs';

const [work, wire, answers, where, ...options] = process.argv.slice(2);
const by = where.startsWith('http:') ? 'HTTP' : 'stdio';

async function run(client, name) {
  const script = JSON.parse(readFileSync(answers, 'utf8').replaceAll('NAME', `${name} by ${by}`));
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    if (result.isError) throw new Error(`${name} ${tool}: ${result.content[0].text}`);
    return result.structuredContent;
  };
  const seen = { client: name, nodes: [] };
  let turn = await call('turn_start', { message: `add ${name}`, idempotency_key: crypto.randomUUID() });
  while (turn.status === 'waiting') {
    const [ask] = turn.asks;
    if (!ask.system || !ask.user) throw new Error('an ask has a system and a user text');
    seen.nodes.push(ask.node);
    const said = script.shift();
    if (said.node !== ask.node) throw new Error(`asked for ${ask.node}, not ${said.node}`);
    const text = typeof said.text === 'string' ? said.text : JSON.stringify(said.text);
    const given = { session: turn.session, turn: turn.id, ask: ask.ask, text };
    turn = await call('turn_answer', given);
    const again = await call('turn_answer', given);
    if (JSON.stringify(again) !== JSON.stringify(turn)) throw new Error('the same answer twice is taken once');
  }
  seen.status = turn.status;
  seen.reply = turn.reply;
  const next = await call('turn_start', { message: 'and now?', session: turn.session });
  seen.second = next.asks[0].node;
  const open = await client.callTool({ name: 'turn_start', arguments: { message: 'x', session: turn.session } });
  seen.open = open.isError === true && open.content[0].text.includes('turn_open');
  const ended = await call('turn_answer', { session: turn.session, cancel: true });
  seen.cancelled = ended.status;
  console.log(JSON.stringify(seen));
}

const target = by === 'HTTP' ? { work, wire, url: where } : { work, wire, alfred: where, options };
await withClients(target, async () => ({ action: 'cancel' }), run);
