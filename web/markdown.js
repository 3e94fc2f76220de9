// Replies are Markdown. As much of it as they use becomes elements; everything else stays the text it is.
// Nothing here makes a link or loads anything.
import { el } from "./dom.js";

const INLINE = /\\([\\`*_[\]|#<>{}()+\-.!~])|`([^`]+)`|\*\*(?=\S)([^]{0,2000}?\S)\*\*|\*(?=\S)([^*]+?)\*(?!\*)/g;

function inline(text, depth = 0) {
  const out = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    out.push(text.slice(at, found.index));
    at = found.index + found[0].length;
    const [, escaped, code, strong, soft] = found;
    const inner = strong ?? soft;
    if (escaped !== undefined) out.push(escaped);
    else if (code !== undefined) out.push(el("code", {}, code));
    else out.push(el(strong === undefined ? "em" : "strong", {}, depth < 3 ? inline(inner, depth + 1) : inner));
  }
  out.push(text.slice(at));
  return out.filter((one) => one !== "");
}

const cells = (line) => {
  const out = [""];
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  for (let at = 0; at < inner.length; ++at) {
    if (inner[at] === "\\" && at + 1 < inner.length) out[out.length - 1] += inner[at] + inner[++at];
    else if (inner[at] === "|") out.push("");
    else out[out.length - 1] += inner[at];
  }
  return out.map((one) => one.trim());
};

const ITEM = /^(\s*)(?:[-*•]|(\d+)[.)])\s+(.*)$/;
const is_rule = (line) => /^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$/.test(line) && line.includes("-");

class Reader {
  constructor(text) {
    this.lines = text.replaceAll("\r\n", "\n").split("\n");
    this.at = 0;
  }

  get line() {
    return this.lines[this.at];
  }

  get is_over() {
    return this.at >= this.lines.length;
  }

  code() {
    const fence = /^\s*(`{3,})/.exec(this.line)[1];
    const inside = [];
    for (++this.at; !this.is_over && !this.line.trim().startsWith(fence); ++this.at) inside.push(this.line);
    ++this.at;
    return el("pre", { class: "code", tabindex: "0" }, inside.join("\n"));
  }

  table() {
    const head = cells(this.line);
    const rows = [];
    for (this.at += 2; !this.is_over && this.line.includes("|"); ++this.at) rows.push(cells(this.line));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      el("table", {},
        el("thead", {}, el("tr", {}, head.map((one) => el("th", { scope: "col" }, inline(one))))),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((one) => el("td", {}, inline(one))))))));
  }

  list(indent, depth = 0) {
    const [, , number] = ITEM.exec(this.line);
    const list = number === undefined ? el("ul") : el("ol", { start: number });
    while (!this.is_over) {
      const found = ITEM.exec(this.line);
      if (!found || found[1].length < indent) break;
      if (found[1].length > indent && list.lastChild && depth < 8) {
        list.lastChild.append(this.list(found[1].length, depth + 1));
        continue;
      }
      ++this.at;
      list.append(el("li", {}, inline(found[3])));
    }
    return list;
  }

  paragraph() {
    const inside = [];
    while (!this.is_over && this.line.trim() && !this.begins_block(inside.length > 0)) inside.push(this.lines[this.at++]);
    const out = el("p");
    inside.forEach((line, at) => out.append(...(at ? [el("br")] : []), ...inline(line)));
    return out;
  }

  begins_block(is_inside) {
    return /^\s*`{3,}/.test(this.line) || /^#{1,6}\s/.test(this.line) || (is_inside && ITEM.test(this.line));
  }

  block() {
    if (/^\s*`{3,}/.test(this.line)) return this.code();
    const heading = /^(#{1,6})\s+(.*)$/.exec(this.line);
    if (heading) {
      ++this.at;
      return el("p", { class: "heading" }, inline(heading[2]));
    }
    const item = ITEM.exec(this.line);
    if (item) return this.list(item[1].length);
    const next = this.lines[this.at + 1];
    if (this.line.includes("|") && next !== undefined && next.includes("|") && is_rule(next)) return this.table();
    return this.paragraph();
  }
}

export function markdown(text) {
  const reader = new Reader(text);
  const out = [];
  while (!reader.is_over) {
    if (reader.line.trim()) out.push(reader.block());
    else ++reader.at;
  }
  return out;
}
