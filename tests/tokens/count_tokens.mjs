// Reads JSON lines {"name", "text"} and writes {"name", "tokens"}: o200k's own count.
import { createInterface } from "node:readline";
import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/o200k_base";

const encoder = new Tiktoken(ranks);
for await (const line of createInterface({ input: process.stdin })) {
  const { name, text } = JSON.parse(line);
  console.log(JSON.stringify({ name, tokens: encoder.encode(text, [], []).length }));
}
