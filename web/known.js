// What the system knew when a turn was over, in sections: plan, batches, constraints, working set.
import { chip, el, fold, json_block, notice, table } from "./dom.js";

const KINDS = {
  complete: "good", finished: "good", created: "good", updated: "good", failed: "bad", blocked: "bad", deleted: "bad",
  waiting: "warn", pending: "warn", generated: "warn", running: "warn",
};
const state = (name) => chip(name, KINDS[name] ?? "quiet");
const section = (title, ...content) => el("section", { class: "known" }, el("h3", {}, title), ...content);

function pending({ type, context, questions, candidates }) {
  return section("Waits for the user", el("p", {}, state("waiting"), ` ${type}: ${context}`),
    questions?.length ? el("ul", {}, questions.map((one) => el("li", {}, one))) : null,
    candidates?.length ? el("p", { class: "muted" }, `Perhaps ${candidates.join(", ")}`) : null);
}

function call(one) {
  const name = `${one.tool} ${one.params?.table ?? ""}`;
  return el("li", {}, fold(`${name}${one.error ? ` · ${one.error.code}` : ""}`,
    () => json_block({ params: one.params, answer: one.answer, error: one.error })));
}

function step(one) {
  return el("li", {}, state(one.status), ` ${one.description} `,
    el("span", { class: "muted" }, `${one.step_type}, ${one.subdomain}, group ${one.group ?? 1}`),
    one.result_summary ? el("p", {}, one.result_summary) : null,
    one.block ? el("p", { class: "bad" }, `${one.block.reason_code}: ${one.block.details}`) : null,
    one.question ? el("p", {}, `Asks: ${one.question}`) : null,
    one.artifacts?.length ? el("p", { class: "muted" }, `Made ${one.artifacts.join(", ")}`) : null,
    one.calls?.length ? el("ul", { class: "calls" }, one.calls.map(call)) : null);
}

function batch(one) {
  const text = `${one.complete} of ${one.total} complete` + (one.failed ? `, ${one.failed} failed` : "") +
    (one.pending ? `, ${one.pending} open` : "");
  return el("div", { class: "batch" },
    el("p", {}, el("strong", {}, one.table), ` ${text} `, el("span", { class: "muted" }, one.id)),
    el("progress", { max: one.total, value: one.complete + one.failed, "aria-label": `${one.table}: ${text}` }),
    fold(`${one.items.length} items`, () => table(`Items of ${one.id}`, [
      ["item", (item) => item.ref], ["status", (item) => state(item.status ?? "pending")],
      ["row", (item) => item.result_ref ?? ""], ["error", (item) => item.error ?? ""]], one.items)));
}

const constraint_text = (one) => [one.field, one.operator, typeof one.value === "object" ? JSON.stringify(one.value)
  : one.value].filter((part) => part !== undefined && part !== null && part !== "").join(" ");

function constraints({ permanent = [], active_goal: goal }) {
  const list = (some) => el("ul", {}, some.map((one) => el("li", {}, chip(one.type, "quiet"), ` ${constraint_text(one)}`)));
  if (!permanent.length && !goal) return section("Constraints", notice("None.", "quiet"));
  return section("Constraints",
    permanent.length ? [el("h4", {}, "Always"), list(permanent)] : null,
    goal ? [el("h4", {}, `For now: ${goal.description} (since turn ${goal.started_turn})`), list(goal.constraints ?? [])]
      : null);
}

function working_set({ entities, artifacts }) {
  const shown = entities.filter((one) => one.tier !== "archived");
  const archived = entities.filter((one) => one.tier === "archived");
  const rows = (caption, some) => table(caption, [
    ["ref", (one) => el("code", {}, one.ref)],
    ["label", (one) => [one.label, one.why ? el("span", { class: "muted" }, ` · ${one.why}`) : null]],
    ["tier", (one) => one.tier],
    ["status", (one) => state(one.status)],
    ["origin", (one) => (one.origin === "user" ? chip("user", "warn") : one.origin)],
    ["turns", (one) => `${one.turn_created}–${one.turn_last_ref}`]],
  some, (one) => ({ "data-ref": one.ref }));
  return section("Working set",
    shown.length ? rows("Entities in play", shown) : notice("Nothing is in play.", "quiet"),
    archived.length ? fold(`${archived.length} archived or deleted`, () => rows("Archived entities", archived),
      archived.some((one) => one.origin === "user")) : null,
    artifacts.length ? fold(`${artifacts.length} generated`, () => el("ul", {}, artifacts.map((one) =>
      el("li", {}, fold(`${one.ref} ${one.label}${one.saved_as ? ` → ${one.saved_as}` : " (not saved)"}`,
        () => json_block(one.content)))))) : null);
}

export function known_sections(known) {
  return [
    known.pending ? pending(known.pending) : null,
    section("Plan", known.steps.length ? el("ol", { class: "plan" }, known.steps.map(step))
      : notice("This turn needed no steps.", "quiet")),
    known.batches.length ? section("Batches", known.batches.map(batch)) : null,
    constraints(known.constraints),
    working_set(known.working_set),
    known.ledger ? fold("Ledger: what the turn did", () => json_block(known.ledger)) : null,
  ];
}
