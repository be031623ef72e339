/** A Worker and a workspace server of different releases: one line with the remedy, at either end. */
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { UNREACHABLE } from "../../../src/workspace/host/host-answer.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { hostHeaders, openHostWorkspace } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

const REMEDY = "they are from different releases. Update the older one (git pull && npm ci), then start it again.";

/** The workspace behind a server that answers everything with this header. */
const answeredWith = async (headers: Record<string, string>, status = 200) => {
  const server = createServer((_, response) => response.writeHead(status, headers).end('{"stat":null}'));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return new HostWorkspace({ url: `http://127.0.0.1:${port}`, token: "t" }, nodeFetch);
};

it.each([
  ["a later protocol", { "tally-protocol": "3" }, 3],
  ["protocol 1, which refuses turns that offer ask_user", { "tally-protocol": "1" }, 1],
  ["a release before there was a number", {}, 1],
])("a Worker refuses a server of %s", async (_, headers, theirs) => {
  await expect((await answeredWith(headers)).stat("a")).rejects.toMatchObject({
    code: "unavailable",
    message: `Protocol 2 is spoken here and ${theirs} by the workspace server: ${REMEDY}`,
  });
});

it.each([502, 503, 504, 530])("a Worker takes %i of a tunnel for a server that is off", async (status) => {
  const message = UNREACHABLE.gone;
  await expect((await answeredWith({}, status)).stat("a")).rejects.toMatchObject({ code: "unavailable", message });
});

it.each([401, 403, 404])("a Worker takes %i of a proxy for no word of the server", async (status) => {
  await expect((await answeredWith({}, status)).stat("a")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(new RegExp(`something else answers .* with status ${status}\\. Ask the person to`)),
  });
});

it("a Worker accepts a server of its own protocol", async () => {
  expect(await (await answeredWith({ "tally-protocol": "2" })).stat("a")).toBeUndefined();
});

it("a server refuses a Worker of another protocol, and does nothing for it", async () => {
  const { server, workspace, close } = await openHostWorkspace();
  onTestFinished(close);
  const headers = { authorization: `Bearer ${server.token}`, "tally-protocol": "1" };
  const answer = await nodeFetch(`${server.url}/write?path=a.txt`, { method: "POST", headers, body: "a" });
  expect(answer.status).toBe(426);
  expect(await answer.json()).toEqual({
    error: { code: "unavailable", message: `Protocol 2 is spoken here and 1 by the Worker: ${REMEDY}` },
  });
  expect(await workspace.stat("a.txt")).toBeUndefined();
});

it("a server without a harness says how to serve one", async () => {
  const { server, close } = await openHostWorkspace();
  onTestFinished(close);
  const headers = hostHeaders(server.token);
  const answer = await nodeFetch(`${server.url}/harness/hello`, { method: "POST", headers, body: "{}" });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain(
    "No harness is served here. Ask the person to start it with --harness agent-sdk",
  );
});

it("a server keeps an idle connection longer than a Worker or a tunnel does, so that no call is sent on one that closes", async () => {
  const { server, close } = await openHostWorkspace();
  onTestFinished(close);
  const headers = { authorization: `Bearer ${server.token}`, "tally-protocol": "2", connection: "keep-alive" };
  const answer = await nodeFetch(`${server.url}/write?path=a.txt`, { method: "POST", headers, body: "a" });
  expect(answer.headers.get("keep-alive")).toBe("timeout=120");
});
