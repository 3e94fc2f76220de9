// The rows themselves, in refs. What is changed here is the user's own doing: the next turn is told so.
import { get, once, post, session_path } from "./api.js";
import { announce, attempt, button, el, fill, notice, table } from "./dom.js";
import { row_form } from "./row_form.js";

const LIMIT = 50;

function cell(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value.join(", ") : `${value.length} rows`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function shown_cell(column, value) {
  const text = cell(value);
  if (column.type.startsWith("ref ")) return el("code", {}, text);
  return text.length > 40 ? el("span", { class: "clamp", title: text }, text) : text;
}

// The column in which a row's own ref stands: a key has the name that its database gave it.
function key_of({ ref, columns }) {
  const key = columns.find((one) => one.shown_as || (one.read_only && one.type === `ref ${ref}`));
  return key?.name ?? "id";
}

export class Records {
  constructor(app, session, name) {
    this.app = app;
    this.session = session;
    this.name = name;
    this.chooser = el("select", { id: "table", onchange: () => app.go(`/records/${this.session}/${this.chooser.value}`) });
    this.search = el("input", { id: "search", type: "search", placeholder: "Find…", autocomplete: "off" });
    this.trouble = el("div");
    this.rows = el("div", { class: "pane" });
    this.more = el("div");
    this.dialog = el("dialog", { "aria-labelledby": "dialog-title" });
    this.node = el("section", { class: "records", "aria-label": "Records" },
      el("div", { class: "bar" }, el("h1", {}, "Records"), el("label", { for: "table", class: "visually-hidden" }, "Table"),
        this.chooser,
        el("form", { class: "row", role: "search", onsubmit: (event) => {
          event.preventDefault();
          this.attempt(() => this.read());
        } }, el("label", { for: "search", class: "visually-hidden" }, "Find rows"), this.search,
        el("button", { type: "submit", class: "quiet" }, "Find")),
        el("span", { class: "grow" }), this.add_button = button("Add", () => this.edit(null))),
      el("p", { class: "muted" }, "What you change here is yours: Alfred is told of it in the next turn of this conversation."),
      this.trouble, this.rows, this.more, this.dialog);
  }

  stop() {}

  async start() {
    if (!this.session) return fill(this.rows, notice("Choose or begin a conversation first: refs belong to one.", "quiet"));
    const { tables } = await get("/v1/schema");
    this.tables = tables.filter((one) => one.ref);
    fill(this.chooser, this.tables.map((one) => el("option", { value: one.table }, one.table.replaceAll("_", " "))));
    this.table = this.tables.find((one) => one.table === this.name) ?? this.tables[0];
    if (!this.table) return fill(this.rows, notice("This database has no tables yet.", "quiet"));
    this.chooser.value = this.table.table;
    this.key = key_of(this.table);
    this.add_button.hidden = Boolean(this.table.read_only);
    return this.read();
  }

  call(what, body) {
    return post(session_path(this.session, `/records/${what}`), { table: this.table.table, ...body },
      what === "read" ? {} : once());
  }

  attempt(what) {
    return attempt(this.trouble, what);
  }

  async read(cursor) {
    const label = this.table.label ?? this.table.columns.find((one) => one.type === "text")?.name;
    const wanted = this.search.value.trim();
    const filters = wanted && label ? [{ field: label, op: "contains", value: wanted }] : [];
    const found = await this.call("read", { limit: LIMIT, filters, ...(cursor ? { cursor } : {}) });
    this.shown = cursor ? [...this.shown, ...found.rows] : found.rows;
    this.show();
    fill(this.more, found.has_more && found.cursor
      ? button("Show more", () => this.attempt(() => this.read(found.cursor)), { class: "quiet" }) : null);
  }

  ref(row) {
    return row[this.key];
  }

  only(row) {
    return [{ field: this.key, op: "=", value: this.ref(row) }];
  }

  show() {
    const is_used = (one) => this.shown.some((row) => cell(row[one.name]) !== "");
    const columns = this.table.columns.filter((one) => one.name !== this.key && is_used(one));
    const acts = (row) => el("span", { class: "row" },
      button("Edit", () => this.edit(row), { class: "quiet", "aria-label": `Edit ${this.ref(row)}` }),
      button("Delete", () => this.ask_delete(row), { class: "quiet", "aria-label": `Delete ${this.ref(row)}` }));
    fill(this.rows, this.shown.length ? table(`Rows of ${this.table.table}`, [
      ["ref", (row) => el("code", {}, this.ref(row))],
      ...(this.table.read_only ? [] : [["change", acts]]),
      ...columns.map((one) => [one.name.replaceAll("_", " "), (row) => shown_cell(one, row[one.name])])],
    this.shown, (row) => ({ "data-ref": this.ref(row) }))
      : notice("No rows.", "quiet"));
  }

  edit(row) {
    const form = row_form(this.table, row, this.key, {
      cancel: () => this.dialog.close(),
      save: async (data) => {
        if (row) await this.call("update", { filters: this.only(row), data });
        else await this.call("create", { data: [data] });
        this.dialog.close();
        announce(row ? `${this.ref(row)} changed.` : "Added.");
        await this.attempt(() => this.read());
      },
    });
    fill(this.dialog, form);
    this.dialog.showModal();
  }

  ask_delete(row) {
    const name = this.table.label && row[this.table.label] ? `${row[this.table.label]} (${this.ref(row)})` : this.ref(row);
    fill(this.dialog, el("h2", { id: "dialog-title" }, `Delete ${name}?`),
      el("p", {}, "What belongs to it goes with it."),
      el("div", { class: "buttons" },
        button("Delete", () => this.attempt(async () => {
          this.dialog.close();
          await this.call("delete", { filters: this.only(row) });
          announce(`${this.ref(row)} deleted.`);
          await this.read();
        }), { class: "danger" }),
        button("Keep it", () => this.dialog.close(), { class: "quiet" })));
    this.dialog.showModal();
  }
}
