// Elements, made one by one: text only ever becomes text, never markup.

// el("p", {class: "muted", onclick: f}, "text", node, …); attributes that are null or false are left out.
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", ...attributes, onclick }, text);
}

// Columns are [heading, row => text or node].
export function table(caption, columns, rows, row_attributes = () => ({})) {
  const head = el("tr", {}, columns.map(([name]) => el("th", { scope: "col" }, name)));
  const body = rows.map((row) =>
    el("tr", row_attributes(row), columns.map(([, cell]) => el("td", {}, cell(row)))));
  return el("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    el("table", {}, el("caption", { class: "visually-hidden" }, caption),
      el("thead", {}, head), el("tbody", {}, body)));
}

export function chip(text, kind = "") {
  return el("span", { class: `chip ${kind}` }, text);
}

export function notice(text, kind = "") {
  return el("p", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : null }, text);
}

// Does it, and says at `trouble` what went wrong.
export async function attempt(trouble, what) {
  fill(trouble);
  try {
    return await what();
  } catch (failure) {
    fill(trouble, notice(failure.message, "bad"));
    return undefined;
  }
}

// For who cannot see what changed.
export function announce(text) {
  document.getElementById("said").textContent = text;
}

export function when(ms) {
  if (!ms) return "";
  const at = new Date(ms);
  const is_today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], is_today
    ? { hour: "2-digit", minute: "2-digit" }
    : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
}

export function time_of(ms) {
  return el("time", { datetime: ms ? new Date(ms).toISOString() : null }, when(ms));
}

export function json_block(value) {
  return el("pre", { class: "code", tabindex: "0" }, JSON.stringify(value, null, 2));
}

export function fold(summary, build, is_open = false) {
  const node = el("details", { open: is_open }, el("summary", {}, summary));
  const show = () => {
    if (node.open && node.childElementCount === 1) node.append(build());
  };
  node.addEventListener("toggle", show);
  if (is_open) show();
  return node;
}
