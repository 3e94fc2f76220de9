// One turn of a conversation: what was said, what is being done about it, and the reply.
import { button, chip, el, fill, time_of } from "./dom.js";
import { markdown } from "./markdown.js";

const DOES = {
  understand: "Understanding…", think: "Planning…", act: "Working…", act_quick: "Looking…",
  reply: "Writing…", summarize: "Remembering…",
};
const MARKS = { complete: "✓", running: "…", pending: "○", blocked: "!", failed: "✕", waiting: "?" };

export class TurnCard {
  // actions: inspect(turn), resume(turn), cancel(turn)
  constructor(turn, actions) {
    this.actions = actions;
    this.steps = new Map();
    this.batches = new Map();
    this.last_event = "";
    this.said = el("div", { class: "said" });
    this.doing = el("p", { class: "doing" });
    this.step_list = el("ol", { class: "steps", "aria-label": "Steps" });
    this.batch_list = el("div", { class: "batches" });
    this.reply = el("div", { class: "reply" });
    this.foot = el("div", { class: "foot" });
    this.progress = el("div", { class: "progress", hidden: true }, this.doing, this.step_list, this.batch_list);
    this.node = el("article", { class: "turn" }, this.said, this.progress, this.reply, this.foot);
    this.show(turn);
  }

  get is_running() {
    return this.turn.status === "running" || this.turn.status === "waiting";
  }

  // From the turn as the server gives it.
  show(turn) {
    this.turn = turn;
    this.node.setAttribute("aria-label", turn.number ? `Turn ${turn.number}` : "Your message");
    this.node.toggleAttribute("aria-busy", turn.status === "running");
    fill(this.said, turn.is_wake_up
      ? [chip("came in by itself", "quiet"), el("details", {}, el("summary", {}, "What came in"),
          el("p", { class: "message" }, turn.message))]
      : el("p", { class: "message" }, turn.message));
    if (turn.reply) this.show_reply(turn.reply);
    if (!this.is_running) this.progress.hidden = true;
    this.show_foot();
  }

  show_reply(text) {
    this.piece = null;
    fill(this.reply, markdown(text));
  }

  show_foot() {
    const { id, status, started_ms } = this.turn;
    const is_odd = status === "failed" || status === "interrupted";
    fill(this.foot, started_ms ? time_of(started_ms) : null,
      is_odd ? chip(status === "failed" ? "failed" : "cancelled", "warn") : null,
      id ? button("Inspect", () => this.actions.inspect(this.turn),
        { class: "link", "aria-label": `Inspect turn ${this.turn.number}` }) : null);
  }

  // It is open and nobody moves it: the model gave no answer, or a stop cut it off.
  show_stuck(why) {
    this.progress.hidden = true;
    this.node.removeAttribute("aria-busy");
    fill(this.foot, el("p", { class: "notice warn", role: "alert" }, why),
      button("Go on with it", () => this.actions.resume(this)),
      button("Give it up", () => this.actions.cancel(this), { class: "quiet" }));
  }

  // As it happens.
  take({ name, id, data }) {
    if (id) this.last_event = id;
    const take = this[`on_${name}`];
    if (take) take.call(this, data);
  }

  on_turn_started({ turn, number, message }) {
    this.turn = { ...this.turn, id: turn, number, message: this.turn.message ?? message };
    this.node.setAttribute("aria-label", `Turn ${number}`);
    this.doing_now("Reading…");
  }

  doing_now(text) {
    this.progress.hidden = false;
    this.doing.textContent = text;
  }

  on_node({ node, step, attempt }) {
    const described = step === undefined ? null : this.steps.get(step);
    this.doing_now((described ? `Step ${step}: ${described.description}` : DOES[node] ?? `${node}…`) +
      (attempt > 1 ? ` (attempt ${attempt})` : ""));
  }

  on_step(step) {
    this.steps.set(step.step, step);
    const shown = [...this.steps.values()].sort((a, b) => a.step - b.step);
    fill(this.step_list, shown.map((one) => el("li", { class: one.status },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[one.status] ?? "·"),
      el("span", {}, one.description, " ", el("span", { class: "muted" }, `(${one.type}, ${one.status})`),
        one.blocked ? el("span", { class: "bad" }, ` ${one.blocked.details ?? ""}`) : null))));
  }

  on_call({ ok, tool, table, error }) {
    if (!ok) this.doing_now(`${tool} ${table ?? ""}: ${error?.message ?? "refused"}`);
  }

  on_batch(batch) {
    this.batches.set(batch.batch, batch);
    fill(this.batch_list, [...this.batches.values()].map((one) => {
      const text = `${one.complete} of ${one.total} ${one.table}` + (one.failed ? `, ${one.failed} failed` : "");
      return el("p", { class: "batch" },
        el("progress", { max: one.total, value: one.complete + one.failed, "aria-label": text }), " ", text);
    }));
  }

  on_token({ text }) {
    if (!this.piece) {
      this.piece = el("p", { class: "piece" });
      fill(this.reply, this.piece);
    }
    this.piece.append(text);
  }

  on_reply({ text }) {
    this.show_reply(text);
    this.doing_now(DOES.summarize);
  }

  on_turn(turn) {
    this.show(turn);
  }
}
