// Texts that would be markup, or break things, in every field that the page shows; and how a turn is shown as it happens.
import assert from "node:assert/strict";
import fs from "node:fs";
import { PAGE, TOKEN, api, open, until, view } from "./browser.mjs";
import { naughty, payloads } from "./naughty.mjs";

const LEAK = "http://127.0.0.1:9";
const bad = payloads(LEAK);
const all = [...bad, ...naughty].filter((one) => one.isWellFormed());
const PER_TURN = 40;
// The answers of a model in a turn that adds an author (chat_answers.py).
const answers = JSON.parse(fs.readFileSync("turn.json", "utf8"));

// A turn whose model is this script.
async function drive(session, message, name, reply) {
  const mine = structuredClone(answers);
  mine[2].text.params.data.name = name;
  mine[4].text = reply;
  let turn = await api("POST", `/v1/sessions/${session}/turns`, { message, interpreter: "caller" });
  for (const { text } of mine)
    turn = await api("POST", `/v1/sessions/${session}/turns/${turn.id}/answers`,
      { ask: turn.asks[0].ask, text: typeof text === "string" ? text : JSON.stringify(text) });
  assert.equal(turn.status, "finished", JSON.stringify(turn));
  return turn;
}

const { browser, page, seen } = await open();

async function nothing_happened(where) {
  assert.deepEqual(seen, { dialogs: [], errors: [], strange: [] }, where);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined, where);
  assert.equal(await page.locator("main script, main iframe, main img, main object, main embed, main style, main link").count(), 0, where);
}

async function said_and_replied() {
  const { id: session } = await api("POST", "/v1/sessions", {});
  const said = [];
  for (let at = 0; at < all.length; at += PER_TURN) {
    const some = all.slice(at, at + PER_TURN).join("\n\n");
    said.push(await drive(session, some, `author ${bad[said.length]}`, some));
  }
  await page.goto(`${PAGE}/#token=${TOKEN}`);
  await page.waitForFunction((count) => document.querySelectorAll(".turn").length === count, said.length);
  assert.deepEqual(await page.$$eval(".said .message", (nodes) => nodes.map((one) => one.textContent)),
    said.map((one) => one.message));
  for (const words of await page.locator(".turn .reply").allInnerTexts()) assert.ok(words.length > 100, words);
  assert.match(await page.textContent(".sessions a[aria-current]"), /<script>/);
  await nothing_happened("chat");
  return session;
}

// The recording waits for a minute in its third answer.
async function a_turn_can_be_cancelled() {
  await page.fill("#message", bad[3]);
  await page.press("#message", "Enter");
  await page.waitForSelector('.turn:last-child .doing:has-text("Step 1")');
  await page.click('button:text-is("Cancel")');
  await page.waitForSelector('.turn:last-child .chip:text-is("cancelled")');
  await nothing_happened("cancel");
}

async function looked_at(session) {
  const base = `/v1/sessions/${session}/records`;
  for (let at = 0; at < all.length; at += 100)
    await api("POST", `${base}/create`, { table: "authors", data: all.slice(at, at + 100).map((name, place) => ({ name: `${at + place} ${name}.` })) });
  await view(page, "Inspector");
  await page.waitForSelector("pre.prompt");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  await page.waitForTimeout(300);
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  await nothing_happened("inspector");
  await view(page, "Records");
  await page.selectOption("#table", "authors");
  await page.waitForSelector('section[aria-label="Records"] tbody tr');
  for (let more = 0; more < 15 && await page.locator('button:text-is("Show more")').count(); ++more) {
    const rows = await page.locator("tbody tr").count();
    await page.click('button:text-is("Show more")');
    await until(async () => (await page.locator("tbody tr").count()) > rows, "more rows");
  }
  const shown = new Set(await page.$$eval("tbody td", (cells) => cells.map((one) => one.textContent)));
  bad.forEach((one, place) => assert.ok(shown.has(`${place} ${one}.`), one));
  await page.locator("tbody tr").last().getByRole("button", { name: /Edit/ }).click();
  await page.waitForSelector("dialog form");
  await page.click('dialog button:text-is("Leave it")');
  await nothing_happened("records");
}

async function sent_to_an_agent() {
  await api("POST", "/inbox/agents", { agentId: "<img src=x onerror=alert(1)>", backend: "mcp" });
  await api("POST", "/inbox/agents", { agentId: "reader", backend: "mcp" });
  for (let at = 0; at < all.length; at += 20)
    await api("POST", "/inbox/agents/reader/inbox/items", { message: all.slice(at, at + 20).join("\n") });
  await api("POST", "/inbox/timers", { agentId: "reader", message: bad[0], every: "1h" });
  await page.goto(`${PAGE}/#/inbox/reader`);
  await until(async () => (await page.locator(".entry").count()) >= all.length / 20, "the entries");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  await page.waitForTimeout(300);
  await nothing_happened("inbox");
}

// What only a model that streams and a large batch bring about.
async function a_turn_is_shown_as_it_happens() {
  const shown = await page.evaluate(async (text) => {
    const { TurnCard } = await import("/page/turn_card.js");
    const card = new TurnCard({ message: text, status: "running", reply: "" }, {});
    const take = (name, data) => card.take({ name, id: "1-1", data });
    take("turn_started", { turn: "trn_1", number: 1, message: text });
    take("step", { step: 1, of: 1, type: "write", description: text, status: "running" });
    take("node", { node: "act", step: 1, attempt: 2 });
    take("batch", { batch: "bat_1", table: "things", total: 3, complete: 1, failed: 1, pending: 1 });
    const batch = card.node.querySelector("progress").getAttribute("aria-label");
    const doing = card.doing.textContent;
    take("token", { ask: 4, text: "Al" });
    take("token", { ask: 4, text: text });
    const streamed = card.reply.textContent;
    take("reply", { text: "**All** done" });
    return { batch, doing, streamed, reply: card.reply.querySelector("strong").textContent };
  }, bad[0]);
  assert.deepEqual(shown, { batch: "1 of 3 things, 1 failed", doing: `Step 1: ${bad[0]} (attempt 2)`, streamed: `Al${bad[0]}`, reply: "All" });
  await nothing_happened("a turn as it happens");
}

const session = await said_and_replied();
console.log(`ok ${all.length} texts said and replied`);
await a_turn_can_be_cancelled();
console.log("ok a turn is cancelled");
await looked_at(session);
console.log("ok looked at as prompts, state and rows");
await sent_to_an_agent();
console.log("ok sent to an agent");
await a_turn_is_shown_as_it_happens();
console.log("ok a turn as it happens");
await browser.close();
