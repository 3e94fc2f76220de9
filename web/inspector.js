// The inspector: for each turn, side by side, what the model saw and what the system knew then.
import { get, session_path, turn_path } from "./api.js";
import { announce, button, chip, el, fill, fold, json_block, notice, when } from "./dom.js";
import { known_sections } from "./known.js";

const PAGE = 1000;

export class Inspector {
  constructor(app, session, turn) {
    this.app = app;
    this.session = session;
    this.wanted = turn;
    this.journal = [];
    this.place = 0;
    this.chooser = el("select", { id: "turn", onchange: () => this.open(this.chooser.value) });
    this.before = button("‹", () => this.step(-1), { "aria-label": "The turn before", class: "quiet" });
    this.after = button("›", () => this.step(1), { "aria-label": "The turn after", class: "quiet" });
    this.checks = el("p", { class: "checks", role: "status" });
    this.saw = el("div", { class: "pane-body" });
    this.knew = el("div", { class: "pane-body" });
    this.message = el("p", { class: "message muted", tabindex: "0", role: "region", "aria-label": "What was said" });
    this.node = el("section", { class: "inspector", "aria-label": "Inspector" },
      el("div", { class: "bar" }, el("h1", {}, "Inspector"),
        el("span", { class: "turn-chooser" }, this.before, el("label", { for: "turn", class: "visually-hidden" }, "Turn"),
          this.chooser, this.after),
        el("span", { class: "grow" }),
        button("Replay", () => this.check("replay"), { title: "Has every recorded turn come out again, byte for byte" }),
        button("Audit", () => this.check("audit"), { title: "Looks for keys in all that was shown" })),
      this.checks, this.message,
      el("div", { class: "panes" },
        el("section", { class: "pane", "aria-label": "What the model saw" }, el("h2", {}, "What the model saw"), this.saw),
        el("section", { class: "pane", "aria-label": "What the system knows" }, el("h2", {}, "What the system knew"),
          this.knew)));
  }

  stop() {}

  async start() {
    if (!this.session) return this.show_nothing("Choose a conversation to look into.");
    await this.refresh();
    return undefined;
  }

  show_nothing(text) {
    fill(this.saw, notice(text, "quiet"));
    fill(this.knew);
  }

  // New turns; the one that is looked at stays, and is looked at again while it is not over.
  async refresh() {
    const { turns: count } = await get(session_path(this.session));
    ({ turns: this.turns } = await get(session_path(this.session, `/turns?after=${Math.max(0, count - 200)}&limit=200`)));
    if (!this.turns.length) return this.show_nothing("Nothing has been said in this conversation yet.");
    const title = (turn) => `${turn.number} · ${turn.is_wake_up ? "came in by itself" : turn.message}`.slice(0, 80);
    fill(this.chooser, [...this.turns].reverse().map((turn) => el("option", { value: turn.id }, title(turn))));
    const is_known = this.turns.some((turn) => turn.id === this.wanted);
    const wanted = is_known ? this.wanted : this.turns.at(-1).id;
    const is_new = this.shown?.id !== wanted || this.shown.status !== "finished";
    this.chooser.value = wanted;
    if (is_new) await this.open(wanted);
    return undefined;
  }

  step(by) {
    const at = this.turns.findIndex((turn) => turn.id === this.chooser.value) + by;
    if (this.turns[at]) this.open(this.turns[at].id);
  }

  async open(id) {
    const turn = this.turns.find((one) => one.id === id);
    this.shown = turn;
    this.wanted = id;
    this.chooser.value = id;
    history.replaceState(null, "", `#/inspect/${this.session}/${id}`);
    this.before.disabled = turn === this.turns[0];
    this.after.disabled = turn === this.turns.at(-1);
    this.message.textContent = `${when(turn.started_ms)} · ${turn.status} · ${turn.message}`;
    this.node.setAttribute("aria-busy", "true");
    const opening = Symbol(id);
    this.opening = opening;  // of two that are on their way the later one is shown
    try {
      const [{ prompts }, known] = await Promise.all([
        get(turn_path(this.session, id, "/prompts")), get(turn_path(this.session, id, "/known")), this.read_journal()]);
      if (this.opening === opening) this.show(turn, prompts, known);
    } finally {
      if (this.opening === opening) this.node.removeAttribute("aria-busy");
    }
  }

  show(turn, prompts, known) {
    fill(this.saw, prompts.length ? prompts.map((one, at) => this.prompt(one, at))
      : notice("No model was asked anything in this turn.", "quiet"));
    const { by_hand, inside } = this.entries_of(turn.id);
    fill(this.knew, known_sections(known), this.changes("By hand before this turn", by_hand),
      this.changes("Journal of this turn", inside));
    announce(`Turn ${turn.number}: ${prompts.length} prompts.`);
  }

  prompt(one, at) {
    const text = (name, body, is_open) => fold(`${name} · ${body.length.toLocaleString()} characters`,
      () => el("pre", { class: `prompt ${name}`, tabindex: "0" }, body), is_open);
    return el("details", { class: "ask", open: at === 0, "data-prompt": one.id },
      el("summary", {}, el("strong", {}, `${at + 1}. ${one.node}`),
        one.step === undefined ? null : chip(`step ${one.step + 1}`),
        one.attempt > 1 ? chip(`attempt ${one.attempt}`, "warn") : null,
        el("span", { class: "muted" }, ` ${one.id}`)),
      text("system", one.system, false), text("user", one.user, true),
      fold("schema of the answer", () => json_block(one.schema)),
      fold("facts", () => json_block(one.facts)));
  }

  // One reader at a time: two would each put the same entries at the end.
  read_journal() {
    this.reading = (this.reading ?? Promise.resolve()).catch(() => {}).then(() => this.read_new_entries());
    return this.reading;
  }

  async read_new_entries() {
    for (;;) {
      const { entries } = await get(session_path(this.session, `/journal?after=${this.place}&limit=${PAGE}`));
      this.journal.push(...entries);
      this.place = this.journal.at(-1)?.place ?? 0;
      if (entries.length < PAGE) return;
    }
  }

  // What changed in a turn, and between the one before and it.
  entries_of(turn) {
    const has = (entry, name, id) => entry.changes.some((one) => one.change === name && (!id || one.id === id));
    const begin = this.journal.findIndex((entry) => has(entry, "turn_started", turn));
    if (begin < 0) return { by_hand: [], inside: [] };
    const rest = this.journal.slice(begin);
    const end = rest.findIndex((entry) => has(entry, "turn_ended"));
    let from = begin;
    while (from > 0 && !has(this.journal[from - 1], "turn_ended")) --from;
    return { by_hand: this.journal.slice(from, begin), inside: end < 0 ? rest : rest.slice(0, end + 1) };
  }

  // An entry without changes here is one about refs alone, whose keys nobody is shown.
  changes(title, entries) {
    if (!entries.length) return null;
    const line = (entry, change) => el("li", {}, change
      ? fold(`${entry.place} · ${change.change.replaceAll("_", " ")}`, () => json_block(change))
      : el("span", { class: "muted" }, `${entry.place} · refs changed`));
    return fold(`${title} · ${entries.length} entries`, () => el("ol", { class: "journal" },
      entries.flatMap((entry) => (entry.changes.length ? entry.changes : [null]).map((change) => line(entry, change)))));
  }

  async check(what) {
    if (!this.session) return;
    this.checks.textContent = "…";
    try {
      const done = await get(session_path(this.session, `/${what}`));
      if (what === "replay") {
        fill(this.checks, chip("replay", "good"), ` ${done.turns} turns, ${done.changes} changes and ${done.prompts} `,
          "prompts came out the same, byte for byte.");
      } else {
        fill(this.checks, chip("audit", done.findings.length ? "bad" : "good"),
          ` ${done.entries} journal entries, ${done.prompts} prompts, ${done.results} tool results and `,
          `${done.replies} replies: `, done.findings.length ? `${done.findings.length} findings.` : "no key in any of them.",
          done.findings.map((one) => el("span", { class: "bad" }, ` Turn ${one.turn}, ${one.record}: ${one.what}`)));
      }
    } catch (failure) {
      fill(this.checks, chip(what, "bad"), ` ${failure.message}`);
    }
  }
}
