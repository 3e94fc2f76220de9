// The page: where one is (behind the #), the list of conversations, and the views.
import { forget_token, get, keep_token, post, once, take_token } from "./api.js";
import { Chat } from "./chat.js";
import { announce, button, el, fill, notice, time_of } from "./dom.js";
import { Inbox } from "./inbox.js";
import { Inspector } from "./inspector.js";
import { Records } from "./records.js";

const LOOK_MS = 3000;
const VIEWS = [["chat", "Chat"], ["inspect", "Inspector"], ["records", "Records"], ["inbox", "Inbox"]];
const at = (id) => document.getElementById(id);

const app = {
  sessions: [],
  seen: new Map(),  // when a session was last looked at here
  suggestions: ["What can you do?", "What do I have?"],
  view: null,
  here: { view: "chat", session: "", rest: "" },

  go(path) {
    if (location.hash === `#${path}`) show();
    else location.hash = path;
  },

  async new_session() {
    const made = await post("/v1/sessions", {}, once());
    app.here.session = made.id;
    history.replaceState(null, "", `#/chat/${made.id}`);
    show_views();
    await app.sessions_changed();
    return made.id;
  },

  async sessions_changed() {
    ({ sessions: app.sessions } = await get("/v1/sessions?limit=50"));
    show_sessions();
  },
};

function read_place() {
  const [, view, session, rest] = location.hash.slice(1).split("/").map((one) => {
    try {
      return decodeURIComponent(one);
    } catch {
      return "";
    }
  });
  const last = app.sessions[0]?.id ?? "";
  if (!VIEWS.some(([name]) => name === view)) return { view: "chat", session: last, rest: "" };
  const is_looking = view === "inspect" || view === "records";
  return { view, session: session || (is_looking ? last : ""), rest: rest ?? "" };
}

function show_views() {
  const { view, session } = app.here;
  const target = (name) => (name === "inbox" ? "#/inbox" : `#/${name}/${session}`);
  fill(at("views"), VIEWS.map(([name, title]) =>
    el("a", { href: target(name), "aria-current": name === view ? "page" : null }, title)));
}

function show_sessions() {
  const { session } = app.here;
  const is_new = (one) => one.id !== session && (app.seen.get(one.id) ?? one.updated_ms) < one.updated_ms;
  fill(at("sessions"),
    button("New conversation", () => app.go("/chat/"), { class: "wide" }),
    el("ul", {}, app.sessions.map((one) => {
      if (!app.seen.has(one.id) || one.id === session) app.seen.set(one.id, one.updated_ms);
      return el("li", {}, el("a", {
        href: `#/${app.here.view === "inbox" ? "chat" : app.here.view}/${one.id}`,
        "aria-current": one.id === session && app.here.view !== "inbox" ? "true" : null,
      }, el("span", { class: "title" }, is_new(one) ? el("span", { class: "new" }, "new ") : null,
        one.title || "Nothing said yet"), time_of(one.updated_ms)));
    })));
}

function make_view({ view, session, rest }) {
  if (view === "inspect") return new Inspector(app, session, rest);
  if (view === "records") return new Records(app, session, rest);
  if (view === "inbox") return new Inbox(app, session);
  return new Chat(app, session);
}

async function show() {
  app.view?.stop();
  app.here = read_place();
  const view = make_view(app.here);
  app.view = view;
  show_views();
  show_sessions();
  const title = VIEWS.find(([name]) => name === app.here.view)[1];
  document.title = `${title} · Alfred`;
  fill(at("main"), view.node);
  try {
    await view.start();
  } catch (failure) {
    if (app.view === view && failure.name !== "AbortError") view.node.prepend(notice(failure.message, "bad"));
  }
}

// The server is asked what is new; what came into the conversation that is open is shown at once.
async function look() {
  if (document.visibilityState === "visible" && !app.is_locked) {
    const before = new Map(app.sessions.map((one) => [one.id, one.updated_ms]));
    try {
      await app.sessions_changed();
      const mine = app.sessions.find((one) => one.id === app.here.session);
      if (mine && (before.get(mine.id) !== mine.updated_ms || app.view?.is_waiting)) await app.view?.refresh?.();
    } catch {
      // Said by whatever the user does next.
    }
  }
  setTimeout(look, LOOK_MS);
}

function ask_token() {
  if (app.is_locked) return;
  app.is_locked = true;
  forget_token();
  app.view?.stop();
  const input = el("input", {
    id: "token", type: "password", autocomplete: "off", required: true, pattern: "[0-9a-f]{64}", spellcheck: "false",
  });
  const submit = async (event) => {
    event.preventDefault();
    keep_token(input.value.trim());
    app.is_locked = false;
    await open_page();
  };
  fill(at("main"), el("form", { class: "token", onsubmit: submit },
    el("h1", {}, "The token of this server"),
    el("p", {}, "Alfred gives what it knows to whoever has its token. ", el("code", {}, "alfred serve"),
      " said at its start in which file it is (“The token is in …”), and in a terminal also printed an address ",
      "that brings it along."),
    el("label", { for: "token" }, "Token"), input,
    el("p", { class: "muted" }, "It stays in this tab and is forgotten when you close it."),
    el("button", { type: "submit" }, "Open")));
  announce("The token is needed.");
  input.focus();
}

async function open_page() {
  try {
    const { packs } = await get("/v1/packs");
    at("pack").textContent = packs.find((one) => one.is_served)?.name ?? "";
    await app.sessions_changed();
    await show();
  } catch (failure) {
    if (failure.status !== 401) fill(at("main"), notice(failure.message, "bad"));
  }
}

document.addEventListener("locked", ask_token);
addEventListener("hashchange", () => {
  if (take_token()) {
    app.is_locked = false;
    open_page();
  } else if (!app.is_locked && (location.hash === "" || location.hash.startsWith("#/"))) show();
});
take_token();
await open_page();
look();
