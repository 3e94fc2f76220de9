// compare.mjs RUN_FILTERS SEED COUNT: makes pairs of an expression and an event, gives both to Jexl and to
// ours, and prints where they differ. Ends with 1 if they do, or if fewer than COUNT could be compared.
import { spawnSync } from "node:child_process";
import jexlPackage from "jexl";

const [runner, seedText, countText] = process.argv.slice(2);
let state = BigInt(seedText) & 0xffffffffffffffffn;
function random(below) {  // splitmix64
  state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
  return Number((z ^ (z >> 31n)) % BigInt(below));
}
const pick = (list) => list[random(list.length)];

const jexl = new jexlPackage.Jexl();
const isText = (value) => typeof value === "string";
const same = (a, b) => {
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (a && b && typeof a === "object" && typeof b === "object") {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
  }
  return a === b;
};
const shown = (value) => (value === undefined || value === null ? "" : String(value));
const globRegex = (glob) =>
  new RegExp("^" + glob.split(/(\*\*|\*)/).map((part) =>
    part === "**" ? "[\\s\\S]*" : part === "*" ? "[^/]*" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("") + "$", "u");
jexl.addFunctions({
  contains: (where, what) => isText(where) ? isText(what) && where.includes(what)
    : Array.isArray(where) && where.some((one) => same(one, what)),
  startsWith: (value, prefix) => isText(value) && isText(prefix) && value.startsWith(prefix),
  endsWith: (value, suffix) => isText(value) && isText(suffix) && value.endsWith(suffix),
  format: (text, ...values) => String(text).replace(/\{(\d{1,2})\}/g, (_, n) => shown(values[Number(n)])),
  join: (list, separator = ",") => Array.isArray(list) ? list.map(shown).join(separator) : "",
  matches: (value, regex) => isText(value) && isText(regex) && regex !== "" && regex.length <= 256 &&
    value.length <= 4096 && new RegExp(regex, "u").test(value),
  glob: (value, pattern) => isText(value) && isText(pattern) && globRegex(pattern).test(value),
  exists: (value) => value !== undefined && value !== null,
});

const scalars = () => pick([0, 1, 2, 3, -1, 1.5, 1e21, 1e-7, 0.1, 123456789, true, false, null, "", "a", "b", "3",
  "3.0", " 12 ", "failure", "release/1.2", "release/a/b", "0x10", "Ärger", "😀x", "1e3", "abc"]);
function event() {
  const metadata = {};
  for (const name of ["n", "m", "s", "t", "status", "branch"]) if (random(4)) metadata[name] = scalars();
  if (random(4)) metadata.list = Array.from({ length: random(4) }, scalars);
  if (random(4)) metadata.rows = Array.from({ length: random(4) }, (_, i) => ({ id: i, name: scalars(), ok: !random(2) }));
  if (random(4)) metadata.in1 = { deep: { value: scalars() }, name: scalars() };
  return { metadata, payload: { user: { login: scalars() }, tags: [scalars(), scalars()] } };
}

const literal = () => pick(["0", "1", "2", "3", "(-1)", "1.5", "100", "true", "false", "'a'", "'b'", '"3"', "''", "'failure'",
  "'release/*'", '"it\\"s"', "'😀x'", "'Ärger'"]);
const path = () => pick(["metadata.n", "metadata.m", "metadata.s", "metadata.t", "metadata.status", "metadata.branch",
  "metadata.in1.deep.value", "metadata.in1.name", "metadata.none", "nothing", "nothing.at.all", "payload.user.login",
  "metadata['n']", "payload.tags[0]", "payload.tags[1]", "metadata.list[1]", "metadata.rows.name", "metadata.s.length",
  "metadata.rows[.id == 1].name", "metadata.rows[.ok].id", "metadata.rows[.name == 'a' || .id > 0].name",
  "metadata.list['length']", "eventVariant", "sourceType", "sourceKey", "null", "metadata[metadata.s]"]);
const array = () => pick(["metadata.list", "payload.tags", "metadata.rows", "[1, 2, 3]", "['a', \"3\", true]", "[]",
  "metadata.rows[.id >= 1]"]);
const pattern = () => pick(["'^a'", "'b$'", "'[0-9]+'", "'re(lease|turn)/.*'", "'.'", "'(a|b)+c?'", "''"]);
const glob = () => pick(["'release/*'", "'release/**'", "'*'", "'**'", "'a?'", "'*b*'", "'rel*/1.2'"]);
function expression(depth) {
  if (depth === 0) return random(2) ? literal() : path();
  const next = () => expression(depth - 1 - random(depth));
  switch (random(14)) {
    case 0: return `${next()} ${pick(["==", "!="])} ${next()}`;
    case 1: return `${next()} ${pick(["<", "<=", ">", ">="])} ${next()}`;
    case 2: return `${next()} ${pick(["+", "-", "*", "/", "//", "%"])} ${next()}`;
    case 3: return `${next()} ${pick(["&&", "||"])} ${next()}`;
    case 4: return `!${random(2) ? path() : `(${next()})`}`;
    case 5: return `(${next()})`;
    case 6: return `((${next()}) ? ${next()} : ${next()})`;
    case 7: return `((${next()}) ?: ${next()})`;
    case 8: return `${random(2) ? literal() : path()} in ${random(2) ? array() : path()}`;
    case 9: return `contains(${random(2) ? array() : path()}, ${random(2) ? literal() : path()})`;
    case 10: return `${pick(["startsWith", "endsWith"])}(${path()}, ${literal()})`;
    case 11: return random(2) ? `matches(${path()}, ${pattern()})` : `glob(${path()}, ${glob()})`;
    case 12: return pick([`exists(${path()})`, `join(${array()}, '-')`, `join(${array()})`, `format('{0}-{1}', ${path()}, ${path()})`]);
    default: return pick([`{a: ${literal()}, b: ${path()}}.a`, `(${literal()} ^ ${pick(["2", "3", "0.5"])})`, `(${next()}) == ${path()}`]);
  }
}

// undefined, NaN and infinities are null to a reader of JSON; members that are null are as good as none.
function plain(value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]).filter(([, v]) => v !== null));
  return value;
}
const alike = (a, b) => typeof a === "number" && typeof b === "number"
  ? a === b || Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b)) : same(a, b);

const wanted = Number(countText);
const cases = [];
let without = 0;  // a property of nothing: an error there, undefined here
while (cases.length < wanted) {
  const one = { expr: expression(1 + random(4)), ...event() };
  try {
    const context = { ...one, eventVariant: "built", sourceType: "local_event", sourceKey: "builds" };
    delete context.expr;
    cases.push({ ...one, theirs: plain(jexl.evalSync(one.expr, context)) });
  } catch (error) {
    if (!/Cannot read properties of (undefined|null)/.test(String(error))) throw new Error(`${one.expr}: ${error.message}`);
    ++without;
  }
}
const input = cases.map(({ expr, metadata, payload }) => JSON.stringify({ expr, metadata, payload })).join("\n") + "\n";
const ran = spawnSync(runner, { input, encoding: "utf8", maxBuffer: 1 << 30 });
const lines = ran.stdout.split("\n").filter(Boolean);
let wrong = lines.length === cases.length ? 0 : 1;
cases.forEach((one, i) => {
  const ours = lines[i] ? JSON.parse(lines[i]) : { error: "nothing" };
  if (!("error" in ours) && alike(plain(ours.value), one.theirs)) return;
  if (++wrong <= 10) console.log(`DIFFER ${JSON.stringify(one)}\n  ours ${lines[i]}`);
});
console.log(`seed ${seedText}: ${cases.length} compared, ${wrong} differ; ${without} more where Jexl reads a property of nothing`);
process.exit(wrong ? 1 : 0);
