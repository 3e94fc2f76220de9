// A person uses the page: token, talking, changes by hand (scenario 13), inspector, inbox, a reminder.
import assert from "node:assert/strict";
import { PAGE, TOKEN, api, check_access, open, say, until, view } from "./browser.mjs";

const { browser, page, seen } = await open();
const session = () => page.url().split("/")[5];

async function the_token_is_asked_for_and_leaves_the_address() {
  await page.goto(PAGE);
  await page.waitForSelector("#token");
  await check_access(page, "the token's form");
  await page.fill("#token", "0".repeat(64));
  await page.click("form.token button");
  await page.waitForFunction(() => document.querySelector("#token")?.value === "");
  await page.goto("about:blank");
  seen.errors.length = 0;  // the browser itself writes of each 401
  await page.goto(`${PAGE}/#token=${TOKEN}`);
  await page.waitForSelector("#message");
  assert.ok(!page.url().includes(TOKEN), page.url());
  await page.reload();  // it is kept in the tab
  await page.waitForSelector("#message");
}

async function talking_changes_rows() {
  assert.match(await say(page, "add saffron to my shopping list"), /saffron/i);
  assert.match(await say(page, "what is on my shopping list?"), /saffron/i);
  await page.waitForSelector(".sessions a[aria-current]");
  assert.match(await page.textContent(".sessions a[aria-current]"), /add saffron/);
  await check_access(page, "chat");
  const again = await say(page, "delete the saffron");
  if (await page.locator(".pending button").count()) {
    await check_access(page, "chat with a question");
    await page.click('.pending button:text-is("Yes")');
    await until(async () => (await page.locator(".turn").count()) === 4, "the fourth turn");
    await page.waitForSelector(".turn:nth-child(4):not([aria-busy]) .foot button");
  } else {
    assert.match(again, /saffron/i);
  }
}

// Scenario 13: a row is deleted and another renamed on the page; the next turn knows both, tagged `user`.
async function changes_by_hand_reach_the_next_turn() {
  const list = await say(page, "what is on my shopping list?");
  await view(page, "Records");
  await page.selectOption("#table", "shopping_list");
  await page.waitForSelector('section[aria-label="Records"] tbody tr');
  const named = (name) => page.locator("tbody tr", { has: page.locator(`td:text-is("${name}")`) });
  const [gone, renamed] = ["dill", "basil"];
  assert.ok(list.includes(gone) && list.includes(renamed), list);
  const [gone_ref, renamed_ref] = [await named(gone).getAttribute("data-ref"), await named(renamed).getAttribute("data-ref")];
  await check_access(page, "records");
  await named(gone).getByRole("button", { name: /Delete/ }).click();
  await check_access(page, "the question before a delete");
  await page.click('dialog button:text-is("Delete")');
  await until(async () => (await named(gone).count()) === 0, "the row goes");
  await named(renamed).getByRole("button", { name: /Edit/ }).click();
  await page.waitForSelector("dialog #field-name");
  await check_access(page, "a row's form");
  await page.fill("#field-name", "thai basil");
  await page.click('dialog button:text-is("Save")');
  await until(async () => (await named("thai basil").count()) === 1, "the row is called otherwise");
  await view(page, "Chat");
  await page.waitForSelector(".turn");
  const now = await say(page, "what is on my shopping list?");
  assert.match(now, /thai basil/);
  assert.ok(!now.includes("dill"), now);
  const turns = (await api("GET", `/v1/sessions/${session()}/turns`)).turns;
  const known = await api("GET", `/v1/sessions/${session()}/turns/${turns.at(-1).id}/known`);
  const entity = (ref) => known.working_set.entities.find((one) => one.ref === ref);
  assert.deepEqual([entity(gone_ref).status, entity(gone_ref).origin], ["deleted", "user"]);
  assert.equal(entity(renamed_ref).origin, "user");
  await page.locator('.turn button:text-is("Inspect")').last().click();
  await page.waitForSelector(`tr[data-ref="${renamed_ref}"]`);
  assert.match(await page.textContent(`tr[data-ref="${renamed_ref}"]`), /user/);
  assert.match(await page.textContent(`tr[data-ref="${gone_ref}"]`), /deleted.*user/);
  await page.waitForSelector('summary:has-text("By hand before this turn")');
}

async function the_inspector_shows_what_was_recorded() {
  const { turns } = await api("GET", `/v1/sessions/${session()}/turns`);
  for (const turn of [turns.at(-1), turns[0]]) {
    await page.selectOption("#turn", turn.id);
    const { prompts } = await api("GET", `/v1/sessions/${session()}/turns/${turn.id}/prompts`);
    assert.ok(prompts.length >= 3);
    await page.waitForSelector(`.inspector:not([aria-busy]) [data-prompt="${prompts.at(-1).id}"]`);
    await page.evaluate(() => document.querySelectorAll(".ask, .ask details").forEach((one) => { one.open = true; }));
    await page.waitForFunction((count) => document.querySelectorAll("pre.prompt").length === count, prompts.length * 2);
    const shown = await page.$$eval(".ask", (asks) => asks.map((ask) => ({
      id: ask.dataset.prompt, system: ask.querySelector("pre.system").textContent, user: ask.querySelector("pre.user").textContent,
    })));
    assert.deepEqual(shown, prompts.map(({ id, system, user }) => ({ id, system, user })));
  }
  const known = await api("GET", `/v1/sessions/${session()}/turns/${turns[0].id}/known`);
  for (const one of known.working_set.entities.filter((entity) => entity.tier !== "archived").slice(0, 5))
    assert.ok((await page.textContent(`tr[data-ref="${one.ref}"]`)).includes(one.label));
  await page.click('button:text-is("Replay")');
  await page.waitForSelector('.checks:has-text("byte for byte")');
  await page.click('button:text-is("Audit")');
  await page.waitForSelector('.checks:has-text("no key in any of them")');
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  await page.waitForTimeout(200);
  await check_access(page, "inspector");
}

async function an_entry_comes_and_is_acked() {
  await view(page, "Inbox");
  await page.fill("#agent", "build-watcher");
  await page.click('button:text-is("Register")');
  await page.waitForSelector('.agents a[aria-current]:has-text("build-watcher")');
  await api("POST", "/inbox/agents/build-watcher/inbox/items", { message: "the build is red" });
  await page.waitForSelector('.entry:has-text("the build is red")');
  await api("POST", "/inbox/timers", { agentId: "build-watcher", message: "look again", every: "1h" });
  await page.fill("#direct", "and from the page");
  await page.press("#direct", "Enter");
  await page.waitForSelector('.entry:has-text("and from the page")');
  await page.waitForSelector('td:text-is("look again")');
  await check_access(page, "inbox");
  await page.click('button[aria-label="Ack the build is red"]');
  await until(async () => (await page.locator(".entry").count()) === 1, "the entry is acked");
  const { entries } = await api("GET", "/inbox/agents/build-watcher/inbox/entries");
  assert.equal(entries.length, 1);
  await page.check("#acked");
  await page.waitForSelector('.entry.acked:has-text("the build is red")');
}

async function a_reminder_appears_by_itself() {
  await page.click(".sessions a");
  await page.waitForSelector(".turn");
  const before = await page.locator(".turn").count();
  const at = new Date(Date.now() - 20000).toISOString().replace(/\.\d+Z/, "Z");
  await api("POST", `/v1/sessions/${session()}/records/create`, { table: "tasks", data: [{ title: "thaw the cod", remind_at: at }] });
  await page.waitForSelector('.turn:has-text("came in by itself"):has-text("thaw the cod")', { timeout: 30000 });
  assert.equal(await page.locator(".turn").count(), before + 1);
}

async function it_is_there_for_narrow_screens_and_by_night() {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  for (const name of ["Chat", "Inspector", "Records", "Inbox"]) {
    await view(page, name);
    await page.waitForTimeout(400);
    await check_access(page, `${name}, narrow and dark`);
  }
}

for (const part of [the_token_is_asked_for_and_leaves_the_address, talking_changes_rows, changes_by_hand_reach_the_next_turn,
  the_inspector_shows_what_was_recorded, an_entry_comes_and_is_acked, a_reminder_appears_by_itself,
  it_is_there_for_narrow_screens_and_by_night]) {
  await part();
  console.log(`ok ${part.name}`);
}
assert.deepEqual(seen, { dialogs: [], errors: [], strange: [] });
await browser.close();
