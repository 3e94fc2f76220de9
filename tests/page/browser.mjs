// A Chromium on the page, which watches that nothing happens that nobody asked for.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const PAGE = process.env.PAGE;
export const TOKEN = process.env.TOKEN;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// What went wrong, and what was asked for that is none of the page's.
export function watched(page) {
  const seen = { dialogs: [], errors: [], strange: [] };
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") seen.errors.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const is_own = url.origin === PAGE && /^\/($|page\/|v1\/|inbox\/)/.test(url.pathname);
    if (!is_own && url.protocol !== "data:") seen.strange.push(request.url());
  });
  return seen;
}

export async function open(options = {}) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  page.setDefaultTimeout(30000);
  return { browser, page, seen: watched(page) };
}

export async function api(method, path, body, headers = {}) {
  const answer = await fetch(PAGE + path, {
    method, headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(said).slice(0, 500)}`);
  return said;
}

// Says something and waits for what comes of it; the reply's text.
export async function say(page, text) {
  const before = await page.locator(".turn").count();
  await page.fill("#message", text);
  await page.press("#message", "Enter");
  const turn = page.locator(".turn").nth(before);
  await page.waitForFunction((at) => {
    const node = document.querySelectorAll(".turn")[at];
    return node && !node.hasAttribute("aria-busy") && node.querySelector(".foot button");
  }, before);
  return turn.locator(".reply").innerText();
}

export async function view(page, name) {
  await page.click(`nav a:text-is("${name}")`);
  await page.waitForSelector(`section[aria-label="${name}"]`);
}

// Nothing that shuts somebody out.
export async function check_access(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const bad = found.violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  assert.deepEqual(bad.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))]), [], where);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${where} is ${overflow} pixels too wide`);
}

export async function until(condition, what) {
  for (let i = 0; i < 300; ++i) {
    const got = await condition();
    if (got) return got;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`it did not happen: ${what}`);
}
