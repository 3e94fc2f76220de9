// Texts that pages trip over: markup that would run, and strings that break layouts, parsers and encodings.
// All of it is made here, the same each time.

const RUNS = "globalThis.hit=1;alert(1)";

export function payloads(origin) {
  const leak = `${origin}/leak`;
  return [
    `<script>${RUNS}</script>`, `"><script>${RUNS}</script>`, `'><script src=${leak}.js></script>`,
    `<img src=x onerror="${RUNS}">`, `<img src="${leak}.png">`, `<svg onload="${RUNS}">`, `<svg><script>${RUNS}</script></svg>`,
    `<iframe src="javascript:${RUNS}"></iframe>`, `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
    `<body onload="${RUNS}">`, `<a href="javascript:${RUNS}">x</a>`, `[x](javascript:${RUNS})`, `![x](${leak}.png)`,
    `<input autofocus onfocus="${RUNS}">`, `<details open ontoggle="${RUNS}">`, `<video src=x onerror="${RUNS}">`,
    `<math><mtext><script>${RUNS}</script></mtext></math>`, `<style>@import "${leak}.css";</style>`,
    `<link rel=stylesheet href="${leak}.css">`, `<meta http-equiv=refresh content="0;url=${leak}">`,
    `<base href="${leak}/">`, `<form action="${leak}"><button>x</button></form>`, `<object data="${leak}.swf"></object>`,
    `<embed src="${leak}.swf">`, `<template><script>${RUNS}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${RUNS}>">`,
    `</textarea><script>${RUNS}</script>`, `</title><script>${RUNS}</script>`, `</pre><script>${RUNS}</script>`,
    `--><script>${RUNS}</script>`, `]]><script>${RUNS}</script>`, `<scr<script>ipt>${RUNS}</scr</script>ipt>`,
    `\u003cscript\u003e${RUNS}\u003c/script\u003e`, `&lt;script&gt;${RUNS}&lt;/script&gt;`, `javascript:${RUNS}`,
    `data:text/html,<script>${RUNS}</script>`, `{{constructor.constructor('${RUNS}')()}}`, `\${${RUNS}}`,
    `';${RUNS}//`, `\`;${RUNS}//`, `__proto__`, `constructor`, `<x style="background:url(${leak}.png)">`,
  ];
}

function* odd() {
  const signs = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];
  for (const one of signs) yield* [one, one.repeat(2), one.repeat(40), `a${one}b`, ` ${one} `, `${one}\n${one}`];
  for (let at = 0x80; at < 0xa0; ++at) yield `c1 ${String.fromCodePoint(at)} x`;
  for (let at = 1; at < 0x20; ++at) yield `c0 ${String.fromCodePoint(at)} x`;
  for (const at of [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202d, 0x202e, 0x2028, 0x2029, 0x2060,
    0x2066, 0x2067, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0xe0001, 0xe0061, 0x10ffff, 0x1f468, 0x0301, 0x0e33, 0xfdfd])
    yield* [`a${String.fromCodePoint(at)}b`, String.fromCodePoint(at).repeat(30)];
  for (const word of ["undefined", "null", "NaN", "Infinity", "true", "0", "-0", "1e400", "0x10", "1/0", "hasOwnProperty",
    "toString", "length", "%s%s%n", "../../etc/passwd", "CON", "NULL", "' OR 1=1 --", "1;DROP TABLE x", "$(ls)", "`ls`",
    "田中さん", "사회과학원", "Ω≈ç√∫˜µ≤≥÷", "👩‍👩‍👧‍👦", "🇺🇸🇷", "مُنَاقَشَة", "הָיְתָה", "ﷺ", "Z̸̢a̶l̷g̵o̴", "ⅷ", "İIıi", "ßẞ", "ǆ"])
    yield* [word, word.toUpperCase(), `**${word}**`, `| ${word} |`, `\`\`\`\n${word}`, `# ${word}`, `- ${word}`];
  for (let size = 1; size <= 12; ++size) yield* ["*".repeat(size), "`".repeat(size), "|".repeat(size) + "\n" + "-|".repeat(size)];
  for (let depth = 1; depth <= 12; ++depth) yield `${"  ".repeat(depth)}- deep\n`.repeat(depth);
  yield "x".repeat(4000);
  yield "**a ".repeat(1000);
  yield "*".repeat(3000);
}

export const naughty = [...odd()];
