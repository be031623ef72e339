/** Bodies: their media type, their size, and what they read as (api.md §1). */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "../../../src/contract/app-error.ts";
import type { AppEnv } from "../../../src/http/app-env.ts";
import { isJson, jsonBody, limitBody, readJson, readJsonOrNothing, requireJson } from "../../../src/http/body.ts";
import { renderError } from "../../../src/http/errors.ts";

const app = new Hono<AppEnv>();
app.post("/", limitBody, requireJson, async (c) => c.json({ read: (await readJson(c.req.raw)) ?? null }));
app.post(
  "/named",
  requireJson,
  jsonBody(z.object({ name: z.string() }), () => new AppError(400, "name: say one.")),
  (c) => c.json(c.req.valid("json")),
);
app.onError(renderError);

const requestOf = (body: BodyInit | null, contentType?: string): Request =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    ...(contentType === undefined ? {} : { headers: { "content-type": contentType } }),
  });

const post = async (path: string, init: RequestInit) => {
  const response = await app.request(path, { method: "POST", ...init });
  return { status: response.status, body: await response.json() };
};

describe("a media type", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=utf-8",
    "application/json ; charset=utf-8",
    "APPLICATION/JSON",
    " application/json ",
  ])("%j is JSON, and its body is read", async (contentType) => {
    expect(isJson(requestOf("{}", contentType))).toBe(true);
    const sent = { body: '{"name":"Ann"}', headers: { "content-type": contentType } };
    expect(await post("/", sent)).toEqual({ status: 200, body: { read: { name: "Ann" } } });
    expect(await post("/named", sent)).toEqual({ status: 200, body: { name: "Ann" } });
  });

  it.each([
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/json5",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "json",
    "text/plain; application/json",
    "",
  ])("%j is not JSON, and is a 415", async (contentType) => {
    expect(isJson(requestOf("{}", contentType))).toBe(false);
    const sent = { body: "{}", headers: { "content-type": contentType } };
    expect(await post("/", sent)).toEqual({ status: 415, body: { error: "Send JSON." } });
  });

  it("that is missing is not JSON", () => {
    expect(isJson(requestOf(new Uint8Array([123, 125])))).toBe(false);
  });
});

describe("no body", () => {
  it("needs no media type", async () => {
    expect(await post("/", {})).toEqual({ status: 200, body: { read: null } });
  });

  it("needs none either when it says that its length is 0", async () => {
    const sent = { body: "", headers: { "content-length": "0", "content-type": "text/plain" } };
    expect(await post("/", sent)).toEqual({ status: 200, body: { read: null } });
  });

  it("is one that is sent in chunks and has none", async () => {
    const body = new ReadableStream({ start: (all) => all.close() });
    expect(await post("/", { body, duplex: "half" } as RequestInit)).toEqual({ status: 200, body: { read: null } });
  });

  it("reads as nothing at the turn start", async () => {
    expect(await readJsonOrNothing(requestOf(null))).toBeUndefined();
  });
});

describe("a body that is not JSON", () => {
  const broken = { body: '{"name":', headers: { "content-type": "application/json" } };

  it.each(["/", "/named"])("is a 400 at %s", async (path) => {
    expect(await post(path, broken)).toEqual({ status: 400, body: { error: "body: send valid JSON." } });
  });

  it("reads as nothing at the turn start (api.md §1)", async () => {
    expect(await readJsonOrNothing(requestOf('{"threadId":'))).toBeUndefined();
  });
});

describe("a body's size", () => {
  const ofBytes = (count: number) => JSON.stringify("a".repeat(count - 2));
  const sent = (count: number) => ({ body: ofBytes(count), headers: { "content-type": "application/json" } });

  it("may be 1 MB", async () => {
    expect((await post("/", sent(1_000_000))).status).toBe(200);
  });

  it("may not be more", async () => {
    expect(await post("/", sent(1_000_001))).toEqual({ status: 413, body: { error: "Request is too large." } });
  });

  it("is counted while it comes in, where no length is given", async () => {
    const body = new Blob(Array.from({ length: 11 }, () => "a".repeat(100_000))).stream();
    const init = { body, duplex: "half", headers: { "content-type": "application/json" } };
    expect(await post("/", init)).toEqual({ status: 413, body: { error: "Request is too large." } });
  });

  it("is looked at before its media type", async () => {
    const large = { body: ofBytes(1_000_001), headers: { "content-type": "text/plain" } };
    expect((await post("/", large)).status).toBe(413);
  });
});

it("a body of another shape is worded by its route", async () => {
  const sent = { body: '{"name":1}', headers: { "content-type": "application/json" } };
  expect(await post("/named", sent)).toEqual({ status: 400, body: { error: "name: say one." } });
});
