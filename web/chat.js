// A conversation: its turns, what waits for the user's word, and the line to type in.
import { ApiError, events, get, once, post, session_path, turn_path } from "./api.js";
import { announce, button, chip, el, fill, notice } from "./dom.js";
import { TurnCard } from "./turn_card.js";

const PAGE = 50;

export class Chat {
  // app: go(path), new_session(), sessions_changed()
  constructor(app, session) {
    this.app = app;
    this.session = session;
    this.cards = new Map();
    this.gone = new AbortController();
    this.earlier = el("div", { class: "earlier" });
    this.log = el("div", { class: "log", role: "log", "aria-label": "Conversation" });
    this.pending = el("div", { class: "pending" });
    this.trouble = el("div");
    this.input = el("textarea", {
      id: "message", rows: "2", maxlength: "65536", placeholder: "Write to Alfred…", onkeydown: (e) => this.on_key(e),
    });
    this.send_button = el("button", { type: "submit" }, "Send");
    this.cancel_button = button("Cancel", () => this.cancel(this.running), { class: "quiet", hidden: true });
    this.scroller = el("div", { class: "scroller", tabindex: "0", "aria-label": "Conversation", role: "region" },
      this.earlier, this.log);
    this.node = el("section", { class: "chat", "aria-label": "Chat" },
      el("h1", { class: "visually-hidden" }, "Chat"), this.scroller,
      el("div", { class: "composer" }, this.pending, this.trouble,
        el("form", { onsubmit: (e) => this.on_submit(e) },
          el("label", { class: "visually-hidden", for: "message" }, "Message"),
          this.input, el("div", { class: "buttons" }, this.send_button, this.cancel_button))));
    this.actions = {
      inspect: (turn) => app.go(`/inspect/${session}/${turn.id}`),
      resume: (card) => this.resume(card),
      cancel: (card) => this.cancel(card),
    };
  }

  async start() {
    if (this.session) await this.load();
    else fill(this.log, this.welcome());
    this.input.focus();
  }

  stop() {
    this.gone.abort();
  }

  welcome() {
    const say = (text) => button(text, () => this.say(text), { class: "suggestion" });
    return el("div", { class: "welcome" },
      el("h2", {}, "What can I do for you?"),
      el("p", { class: "muted" }, "Ask in your own words. Everything that is done is recorded; ",
        "“Inspect” on a reply shows what the model saw and what the system knows."),
      el("div", { class: "suggestions" }, this.app.suggestions.map(say)));
  }

  async load() {
    const { turns } = await get(session_path(this.session));
    this.first = Math.max(0, turns - PAGE);
    this.last = this.first;
    await this.refresh();
    if (this.cards.size === 0) fill(this.log, this.welcome());
    this.show_earlier();
    this.to_end();
  }

  show_earlier() {
    fill(this.earlier, this.first > 0 ? button("Show earlier turns", async () => {
      const after = Math.max(0, this.first - PAGE);
      const { turns } = await get(session_path(this.session, `/turns?after=${after}&limit=${this.first - after}`));
      this.log.prepend(...turns.map((turn) => new TurnCard(turn, this.actions).node));
      this.first = after;
      this.show_earlier();
    }, { class: "quiet" }) : null);
  }

  // Whether a turn is open that somebody else may end.
  get is_waiting() {
    return !this.running && [...this.cards.values()].some((card) => card.is_running);
  }

  // Takes in what came since: by a reminder, or from another window.
  async refresh() {
    if (this.running || !this.session) return;
    for (const card of this.cards.values()) {
      if (!card.is_running) continue;
      const turn = await get(turn_path(this.session, card.turn.id));
      if (turn.status !== card.turn.status && turn.status !== "waiting") card.show(turn);
    }
    const { turns } = await get(session_path(this.session, `/turns?after=${this.last}&limit=200`));
    for (const turn of turns) {
      if (!this.cards.size) fill(this.log);
      const card = this.add(new TurnCard(turn, this.actions));
      this.last = turn.number;
      if (turn.is_wake_up && turn.reply) announce("Something came in by itself.");
      if (card.is_running) await this.watch(card);
    }
    if (turns.length) {
      this.to_end();
      await this.show_pending();
    }
  }

  add(card) {
    if (card.turn.id) this.cards.set(card.turn.id, card);
    this.log.append(card.node);
    return card;
  }

  to_end() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  on_key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.on_submit(event);
  }

  on_submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text || this.running) return;
    this.input.value = "";
    this.say(text);
  }

  async say(text) {
    if (this.running) return;
    if (!this.session) {
      this.session = await this.app.new_session();
      this.last = 0;
    }
    if (!this.cards.size) fill(this.log);
    const card = this.add(new TurnCard({ message: text, status: "running", reply: "" }, this.actions));
    fill(this.pending);
    this.to_end();
    await this.follow(card, () => events("POST", session_path(this.session, "/turns"),
      { body: { message: text }, headers: once() }));
    if (!card.turn.id) {  // nothing of it was taken: the text is the user's again
      card.node.remove();
      this.input.value = this.input.value || text;
    }
    this.app.sessions_changed();
  }

  async resume(card) {
    await this.follow(card, () => events("POST", turn_path(this.session, card.turn.id, "/resume")));
  }

  async watch(card) {
    await this.follow(card, () => events("GET", turn_path(this.session, card.turn.id, "/events"),
      { headers: card.last_event ? { "Last-Event-ID": card.last_event } : {}, signal: this.gone.signal }));
  }

  // Shows events until the turn is over; a connection that breaks is taken up where it was.
  async follow(card, open, tries = 0) {
    this.set_running(card);
    let error = null;
    try {
      for await (const event of open()) {
        if (event.name === "error") error = new ApiError(503, event.data);
        const is_at_end = this.scroller.scrollTop + this.scroller.clientHeight > this.scroller.scrollHeight - 80;
        card.take(event);
        if (card.turn.id) this.cards.set(card.turn.id, card);
        if (card.turn.number) this.last = Math.max(this.last, card.turn.number);
        if (is_at_end) this.to_end();
      }
    } catch (failure) {
      error = failure;
    }
    this.set_running(null);
    if (this.gone.signal.aborted) return;
    if (card.turn.status === "running" && card.turn.id && !(error instanceof ApiError && error.status) && tries < 3) {
      await new Promise((done) => setTimeout(done, 500));
      await this.follow(card, () => events("GET", turn_path(this.session, card.turn.id, "/events"),
        { headers: card.last_event ? { "Last-Event-ID": card.last_event } : {} }), tries + 1);
      return;
    }
    this.show_end(card, error);
    await this.show_pending();
    this.input.focus();
  }

  show_end(card, error) {
    fill(this.trouble, error ? notice(error.message, "bad") : null);
    if (card.turn.id && card.turn.status === "running")
      card.show_stuck(error ? error.message : "This turn was cut off. What it did stays done.");
    if (card.turn.status === "waiting") card.show_stuck("This turn waits for its caller's own model.");
    if (card.turn.reply) announce("Alfred has answered.");
    this.to_end();
  }

  set_running(card) {
    this.running = card;
    this.cancel_button.hidden = !card;
    this.send_button.disabled = Boolean(card);
  }

  async cancel(card) {
    if (!card?.turn.id) return;
    try {
      const turn = await post(turn_path(this.session, card.turn.id, "/cancel"));
      if (!this.running) card.show(turn);
    } catch (failure) {
      fill(this.trouble, notice(failure.message, "bad"));
    }
  }

  // What the user was asked, with the answers that need no typing.
  async show_pending() {
    const last = [...this.cards.values()].pop();
    if (!last?.turn.id || last.is_running) return fill(this.pending);
    const known = await get(turn_path(this.session, last.turn.id, "/known")).catch(() => null);
    const waits = known?.pending;
    if (!waits || this.running) return fill(this.pending);
    const label = (ref) => known.working_set.entities.find((one) => one.ref === ref)?.label ?? ref;
    const words = waits.candidates?.length ? waits.candidates.map(label)
      : waits.type === "propose" ? ["Yes", "No"] : [];
    return fill(this.pending, chip("waits for your word", "warn"),
      el("span", { class: "muted" }, ` ${waits.questions?.[0] ?? waits.context ?? ""} `),
      words.map((word) => button(word, () => this.say(word), { class: "suggestion" })));
  }
}
