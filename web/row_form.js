// A form for one row: a field for each column that may be written; what was not touched is not sent.
import { button, el, fill, notice } from "./dom.js";

const HINTS = { date: "2026-02-28", instant: "2026-02-28T17:05:00Z", list: "one, two, three", json: "{ }" };

function shown(column, value) {
  if (value === null || value === undefined) return "";
  if (column.type === "list" && Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function field(column, value) {
  const attributes = { id: `field-${column.name}`, name: column.name, required: column.required };
  const options = column.type === "boolean" ? ["true", "false"] : column.values;
  const text = shown(column, value);
  if (options) {
    const select = el("select", attributes, column.required ? null : el("option", { value: "" }, "–"),
      options.map((one) => el("option", { value: one, selected: String(one) === text }, String(one))));
    return select;
  }
  const is_long = column.type === "text" && (text.length > 60 || text.includes("\n"));
  const input = el(is_long || column.type === "json" ? "textarea" : "input",
    { ...attributes, placeholder: HINTS[column.type] ?? (column.type.startsWith("ref ") ? `${column.type.slice(4)}_1` : null) });
  input.value = text;
  return input;
}

// As the column takes it. Throws where the text is none of its type.
function read(column, text) {
  if (text === "") return null;
  if (column.type === "boolean") return text === "true";
  if (column.type === "list") return text.split(",").map((one) => one.trim()).filter(Boolean);
  if (column.type === "json") return JSON.parse(text);
  if (column.type !== "integer" && column.type !== "number") return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`${column.name} is a number.`);
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new Error(`${column.name} has more digits than a browser keeps. Change it with \`alfred db update\`.`);
  return number;
}

// row: null for a new one. key: the column that its ref stands in. actions: save(data), cancel().
export function row_form(table, row, key, { save, cancel }) {
  const columns = table.columns.filter((one) => !one.read_only && !(row && one.name === key));
  const fields = new Map(columns.map((one) => [one, field(one, row?.[one.name])]));
  const trouble = el("div");
  const submit = async (event) => {
    event.preventDefault();
    try {
      const data = {};
      for (const [column, input] of fields) {
        const before = shown(column, row?.[column.name]);
        if (input.value !== before) data[column.name] = read(column, input.value);
      }
      if (Object.keys(data).length === 0) return cancel();
      await save(data);
    } catch (failure) {
      fill(trouble, notice(failure.message, "bad"));
    }
    return undefined;
  };
  return el("form", { class: "row-form", onsubmit: submit },
    el("h2", { id: "dialog-title" }, row ? `Change ${row[key]}` : `Add to ${table.table.replaceAll("_", " ")}`),
    [...fields].map(([column, input]) => el("div", { class: "field" },
      el("label", { for: input.id }, column.name.replaceAll("_", " "), column.required ? " *" : ""), input)),
    trouble,
    el("div", { class: "buttons" }, el("button", { type: "submit" }, "Save"), button("Leave it", cancel, { class: "quiet" })));
}
