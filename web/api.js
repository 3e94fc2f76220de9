// The server's API. The token stays in this tab and goes out in the Authorization header only.

const KEPT = "alfred_token";

export class ApiError extends Error {
  constructor(status, error) {
    super(error.message ?? "The server gave no answer that can be read.");
    this.status = status;
    this.code = error.code ?? "";
    this.path = error.path ?? "";
  }
}

// What stands behind the # of the address that `alfred serve` printed; it is taken out of the address bar.
export function take_token() {
  const given = /^#token=([0-9a-f]{64})$/.exec(location.hash);
  if (!given) return false;
  keep_token(given[1]);
  history.replaceState(null, "", location.pathname);
  return true;
}

export function keep_token(token) {
  sessionStorage.setItem(KEPT, token);
}

export function forget_token() {
  sessionStorage.removeItem(KEPT);
}

async function send(method, path, { body, headers = {}, signal } = {}) {
  const sent = { ...headers };
  const token = sessionStorage.getItem(KEPT);
  if (token) sent.Authorization = `Bearer ${token}`;
  if (method !== "GET") sent["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method, headers: sent, signal, credentials: "omit", cache: "no-store",
      body: method === "GET" ? undefined : JSON.stringify(body ?? {}),
    });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new ApiError(0, { code: "unreachable", message: "The server cannot be reached. Is `alfred serve` running?" });
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  if (response.status === 401) document.dispatchEvent(new Event("locked"));
  throw new ApiError(response.status, said.error ?? {});
}

export async function get(path) {
  return (await send("GET", path)).json();
}

export async function post(path, body, headers = {}) {
  return (await send("POST", path, { body, headers })).json();
}

export async function remove(path) {
  return (await send("DELETE", path)).json();
}

// For a request that must not happen twice. (randomUUID() is there on loopback and https only.)
export function once() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { "Idempotency-Key": [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("") };
}

function parse_event(block) {
  const out = { event: "message", id: "", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) out[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return out.data ? { name: out.event, id: out.id, data: JSON.parse(out.data) } : null;
}

// Server-sent events, as they come.
export async function* events(method, path, { body, headers = {}, signal } = {}) {
  const response = await send(method, path, {
    body, signal, headers: { ...headers, Accept: "text/event-stream" },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const event = parse_event(block);
      if (event) yield event;
    }
  }
}

export const session_path = (session, rest = "") => `/v1/sessions/${encodeURIComponent(session)}${rest}`;
export const turn_path = (session, turn, rest = "") =>
  session_path(session, `/turns/${encodeURIComponent(turn)}${rest}`);
