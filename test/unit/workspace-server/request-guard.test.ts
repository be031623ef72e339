/** Who is turned away by the workspace server, and that nothing is read or done for them. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostWorkspaceUnderTest, hostHeaders, openHostWorkspace } from "../../support/host-workspace.ts";

let host: HostWorkspaceUnderTest;
beforeAll(async () => {
  host = await openHostWorkspace();
});
afterAll(() => host.close());

/** One request with exactly these headers beside the right ones; a header given as undefined is left out. */
const send = async (
  headers: OutgoingHttpHeaders,
  { method = "POST", path = "/write?path=made.txt", body = "made" } = {},
): Promise<{ status: number | undefined; headers: IncomingMessage["headers"] }> => {
  const right = hostHeaders(host.server.token);
  const given = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== undefined);
  const sent = request(host.server.url + path, { method, headers: Object.fromEntries(given), agent: false });
  sent.end(method === "GET" ? undefined : body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  answer?.resume();
  return { status: answer?.statusCode, headers: answer?.headers ?? {} };
};

describe("the workspace server", () => {
  it.each([
    ["another host", 403, { host: "tally.example" }],
    ["its port under another name", 403, { host: "localhost" }],
    ["an origin", 403, { origin: "http://127.0.0.1:8787" }],
    ["its own origin", 403, { origin: "null" }],
    ["Sec-Fetch-Site", 403, { "sec-fetch-site": "none" }],
    ["Sec-Fetch-Mode", 403, { "sec-fetch-mode": "cors" }],
    ["no token", 401, { authorization: undefined }],
    ["a wrong token", 401, { authorization: "Bearer wrong" }],
    ["a token of the same length", 401, { authorization: `Bearer ${"A".repeat(43)}` }],
    ["the token without its scheme", 401, { authorization: "wrong" }],
  ])("refuses a request with %s: %d, without CORS, and nothing is done", async (_, status, headers) => {
    const answer = await send(headers);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(existsSync(join(host.dir, "made.txt"))).toBe(false);
  });

  it.each(["GET", "PUT", "OPTIONS", "DELETE"])("refuses %s", async (method) => {
    expect((await send({}, { method })).status).toBe(405);
    expect(existsSync(join(host.dir, "made.txt"))).toBe(false);
  });

  it("answers a stranger before the body has come", async () => {
    const socket = connect(Number(new URL(host.server.url).port), "127.0.0.1");
    socket.write("POST /write?path=made.txt HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000000\r\n\r\n");
    const [chunk]: Buffer[] = await once(socket, "data");
    socket.destroy();
    expect(chunk?.toString()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("refuses a JSON call over 1 MB and a file over 16 MB by their announced length", async () => {
    expect((await send({ "content-length": 1_048_577 }, { path: "/stat", body: "" })).status).toBe(413);
    expect((await send({ "content-length": 16_777_217 }, { body: "" })).status).toBe(413);
  });

  it("refuses a body over the bound that announces no length", async () => {
    const headers = { "transfer-encoding": "chunked" };
    expect((await send(headers, { path: "/stat", body: "x".repeat(1_048_577) })).status).toBe(413);
  });

  it.each([
    ["no JSON", "/stat", "{"],
    ["a missing field", "/stat", "{}"],
    ["a wrong type", "/stat", '{"path":1}'],
    ["a negative offset", "/read", '{"path":"a","offset":-1,"maxBytes":1}'],
    ["a time limit over 10 min", "/run", '{"callId":"1","command":"true","dir":".","timeoutMs":600001}'],
    ["an unknown call", "/eval", "{}"],
  ])("refuses a call with %s: 422", async (_, path, body) => {
    expect((await send({}, { path, body })).status).toBe(422);
  });

  it("listens on 127.0.0.1 alone", () => {
    expect(host.server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("lets the right request in", async () => {
    expect((await send({}, { path: "/write?path=right.txt" })).status).toBe(200);
    expect(existsSync(join(host.dir, "right.txt"))).toBe(true);
  });
});
