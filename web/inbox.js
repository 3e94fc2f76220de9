// The inbox: agents, what came in for them, and their timers.
import { events, get, once, post, remove } from "./api.js";
import { announce, attempt, button, chip, el, fill, fold, json_block, notice, table, when } from "./dom.js";

const path_of = (agent, rest = "") => `/inbox/agents/${encodeURIComponent(agent)}${rest}`;
const at = (text) => (text ? when(Date.parse(text)) : "");

// What an item says, in one line.
function words(item) {
  const { rawPayload: body = {}, metadata = {} } = item;
  for (const one of [body.message, body.text, body.title, body.summary, metadata.title, metadata.summary])
    if (typeof one === "string" && one) return one;
  return item.eventVariant;
}

export class Inbox {
  constructor(app, agent) {
    this.app = app;
    this.agent = agent;
    this.gone = new AbortController();
    this.agents = el("ul", { class: "agents" });
    this.box = el("div", { class: "entries" });
    this.timers = el("div");
    this.trouble = el("div");
    this.with_acked = el("input", { type: "checkbox", id: "acked", onchange: () => this.watch() });
    this.node = el("section", { class: "inbox", "aria-label": "Inbox" }, el("div", { class: "bar" }, el("h1", {}, "Inbox")),
      this.trouble,
      el("div", { class: "panes" },
        el("section", { class: "pane narrow", "aria-label": "Agents" }, el("h2", {}, "Agents"), this.agents, this.new_agent()),
        el("section", { class: "pane", "aria-label": "Entries" },
          el("div", { class: "bar" }, el("h2", {}, "Entries"), el("span", { class: "grow" }),
            el("label", {}, this.with_acked, " acked too"), button("Ack all", () => this.ack({ all: true }), { class: "quiet" })),
          this.box, this.writer()),
        el("section", { class: "pane", "aria-label": "Timers" }, el("h2", {}, "Timers"), this.timers)));
  }

  stop() {
    this.gone.abort();
  }

  async start() {
    await this.show_agents();
    await this.show_timers();
    this.watch();
  }

  attempt(what) {
    return attempt(this.trouble, what);
  }

  async show_agents() {
    const { agents } = await get("/inbox/agents?limit=200");
    if (!agents.some((one) => one.agentId === this.agent)) this.agent = agents[0]?.agentId ?? "";
    fill(this.agents, agents.map((one) => el("li", {},
      el("a", { href: `#/inbox/${encodeURIComponent(one.agentId)}`, "aria-current": one.agentId === this.agent ? "true" : null },
        el("span", { class: "title" }, one.agentId), chip(one.status, one.status === "active" ? "good" : "quiet")))));
    if (!agents.length) fill(this.agents, el("li", {}, notice("There are no agents yet.", "quiet")));
  }

  new_agent() {
    const name = el("input", { id: "agent", placeholder: "build-watcher", maxlength: "64", autocomplete: "off" });
    return el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      this.attempt(async () => {
        const made = await post("/inbox/agents", { backend: "mcp", ...(name.value ? { agentId: name.value } : {}) }, once());
        this.app.go(`/inbox/${encodeURIComponent(made.agent.agentId)}`);
      });
    } }, el("label", { for: "agent", class: "visually-hidden" }, "Name of a new agent"), name,
    el("button", { type: "submit" }, "Register"));
  }

  writer() {
    const text = el("input", { id: "direct", placeholder: "Write to this agent…", maxlength: "10000", autocomplete: "off" });
    return el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      if (!text.value || !this.agent) return;
      this.attempt(async () => {
        await post(path_of(this.agent, "/inbox/items"), { message: text.value }, once());
        text.value = "";
      });
    } }, el("label", { for: "direct", class: "visually-hidden" }, "Message to the agent"), text,
    el("button", { type: "submit" }, "Send"));
  }

  // All entries that there are, then those that come.
  async watch() {
    this.watching?.abort();
    const mine = new AbortController();
    this.watching = mine;
    this.gone.signal.addEventListener("abort", () => mine.abort());
    if (!this.agent) {
      fill(this.box, notice("Nothing to read.", "quiet"));
      return;
    }
    const acked = this.with_acked.checked ? "?include_acked=true" : "";
    try {
      for await (const event of events("GET", path_of(this.agent, `/inbox/watch${acked}`), { signal: mine.signal })) {
        if (event.name !== "items") continue;
        await this.read_entries();  // a digest's new revision takes the place of the one before
        await this.show_timers();
      }
    } catch (failure) {
      if (!mine.signal.aborted) fill(this.trouble, notice(failure.message, "bad"));
    }
  }

  entry(entry) {
    const is_acked = Boolean(entry.ackedAt);
    return el("article", { class: `entry ${is_acked ? "acked" : ""}`, "data-entry": entry.entryId },
      el("p", {}, chip(entry.kind === "item" ? entry.items[0]?.eventVariant ?? "item" : `digest of ${entry.count}`),
        " ", el("span", { class: "muted" }, `${at(entry.items.at(-1)?.occurredAt)} · ${entry.entryId}`)),
      el("ul", {}, entry.items.slice(0, 20).map((item) => el("li", {}, words(item)))),
      el("div", { class: "row" }, is_acked ? chip("acked", "quiet")
        : button("Ack", () => this.ack({ entryIds: [entry.entryId] }), { "aria-label": `Ack ${words(entry.items[0] ?? {})}` }),
      fold("whole", () => json_block(entry))));
  }

  ack(which) {
    if (!this.agent) return undefined;
    return this.attempt(async () => {
      const { acked } = await post(path_of(this.agent, "/inbox/ack"), which);
      announce(`${acked} acked.`);
      await this.read_entries();
    });
  }

  async read_entries() {
    const acked = this.with_acked.checked ? "&include_acked=true" : "";
    const { entries } = await get(path_of(this.agent, `/inbox/entries?limit=1000${acked}`));
    const shown = entries.sort((a, b) => b.sequence - a.sequence);
    fill(this.box, shown.length ? shown.map((entry) => this.entry(entry)) : notice("Nothing to read.", "quiet"));
  }

  async show_timers() {
    const { timers } = await get("/inbox/timers?limit=200");
    const change = (one, how) => this.attempt(async () => {
      const path = `/inbox/timers/${one.scheduleId}`;
      await (how === "remove" ? remove(path) : post(`${path}/${how}`));
      await this.show_timers();
    });
    fill(this.timers, timers.length ? table("Timers", [
      ["for", (one) => one.agentId], ["says", (one) => one.message],
      ["next", (one) => at(one.nextFireAt)], ["status", (one) => one.status],
      ["change", (one) => el("span", { class: "row" },
        one.status === "active" ? button("Pause", () => change(one, "pause"), { class: "quiet" }) : null,
        one.status === "paused" ? button("Resume", () => change(one, "resume"), { class: "quiet" }) : null,
        button("Remove", () => change(one, "remove"), { class: "quiet", "aria-label": `Remove the timer ${one.message}` }))]],
    timers) : notice("No timer is set.", "quiet"));
  }
}
