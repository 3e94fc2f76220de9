// The rows of a user's own database, whose key is called otherwise than `id`: listed, changed and deleted by their refs.
import assert from "node:assert/strict";
import { PAGE, TOKEN, open, say, until, view } from "./browser.mjs";

const { browser, page, seen } = await open();
await page.goto(`${PAGE}/#token=${TOKEN}`);
await say(page, "hello");
await view(page, "Records");
await page.waitForSelector("tbody tr");
const rows = page.locator("tbody tr");
assert.deepEqual(await page.$$eval("tbody tr", (some) => some.map((row) => row.dataset.ref)), ["product_1", "product_2"]);
await rows.first().getByRole("button", { name: "Edit product_1" }).click();
assert.equal(await page.locator("dialog #field-sku").count(), 0);
await page.fill("#field-title", "Desk lamp");
await page.click('dialog button:text-is("Save")');
await page.waitForSelector('td:text-is("Desk lamp")');
await rows.last().getByRole("button", { name: "Delete product_2" }).click();
await page.click('dialog button:text-is("Delete")');
await until(async () => (await rows.count()) === 1, "the row goes");
assert.ok(!(await page.content()).includes("ZX-90"), "a key is shown");
assert.deepEqual(seen, { dialogs: [], errors: [], strange: [] });
await browser.close();
console.log("ok a database of one's own");
