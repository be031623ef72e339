/** What a page of somebody else's, open in the developer's own browser, can do to a running `npm run dev`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../support/browser/start-browser.ts";
import type { DevServer } from "../support/dev-server.ts";
import { listeningPorts } from "../support/listening-ports.ts";
import { AUTH_CHANGES, CHANGES } from "../worker/http/every-route.ts";
import { openStage, type Stage } from "./turn/stage.ts";

/** A start takes 5 s on a free machine, and may take 90 s; a browser takes 1 s. */
const TIMEOUT_MS = 180_000;

/** Leads to this machine, as a name of an attacker's does once it was rebound. */
const REBOUND = "rebound.test";

const EVERY_CHANGE = [...CHANGES, ...AUTH_CHANGES.map((name) => [`/_framework/auth/${name}`, "POST"] as const)];

/** Reads and writes of what is stored, and what wrangler does for itself. */
const OF_WRANGLER = [
  ...["explorer/api/d1/database", "local/explorer/api/workers/durable_objects/namespaces", "local/scheduled"],
  ...["handler/email", "local/platform-proxy"],
].map((path) => [`/cdn-cgi/${path}`, "POST"] as const);

let stage: Stage;
let browser: Browser;
/** Another program's page. */
const neighbour = createServer((_, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<p>Hello");
});
let neighbourUrl: string;

beforeAll(async () => {
  stage = await openStage([]);
  neighbour.listen(0, "127.0.0.1");
  await once(neighbour, "listening");
  neighbourUrl = `http://localhost:${Object(neighbour.address()).port}/`;
  browser = await startBrowser([`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]);
}, TIMEOUT_MS);

afterAll(async () => {
  await browser.close();
  neighbour.close();
  await stage.end();
});

/** A page at `url`, and the statuses that it was answered since. */
const openPage = async (url: string): Promise<{ page: Page; statuses: number[] }> => {
  const page = await browser.newPage();
  await page.goto(url);
  const statuses: number[] = [];
  page.on("response", (response) => statuses.push(response.status()));
  return { page, statuses };
};

/** The status of each request that the Worker has answered. */
const answeredBy = (server: DevServer): number[] =>
  [...server.output().matchAll(/"message":"request",.*"status":(\d+)/g)].map(([, status]) => Number(status));

type Ask = { readonly url: string; readonly method: string; readonly headers?: Readonly<Record<string, string>> };

/** Asks for all of it as a page's script can, once with and once without wanting to read the answer; what it could read. */
const askAll = (page: Page, asks: readonly Ask[]): Promise<string[]> =>
  page.evaluate(async (all) => {
    const read = async ({ url, method, headers = {} }: Ask, mode: RequestMode): Promise<string> => {
      const body = method === "GET" ? {} : { body: "{}" };
      try {
        return await (await fetch(url, { method, headers, mode, credentials: "include", ...body })).text();
      } catch {
        // Refused by the browser.
        return "";
      }
    };
    const texts: string[] = [];
    for (const ask of all) texts.push(await read(ask, "cors"), await read(ask, "no-cors"));
    return texts;
  }, asks);

describe("a page of another port of this machine", { timeout: TIMEOUT_MS }, () => {
  it("changes nothing by any route, and reads nothing", async () => {
    const server = await stage.take();
    const { url, port } = server;
    const before = answeredBy(server).length;
    const { page } = await openPage(neighbourUrl);
    const asks = [...EVERY_CHANGE, ...OF_WRANGLER].flatMap(([path, method]) => [
      { url: `http://localhost:${port}${path}`, method },
      { url: `${url}${path}`, method, headers: { "content-type": "application/json" } },
    ]);
    const texts = await askAll(page, asks);
    await page.close();
    expect(texts.filter((text) => text !== "")).toEqual([]);
    // What the browser kept from the page was answered all the same: the server knows how.
    const answered = () => answeredBy(server).slice(before);
    // Its lines come by themselves, behind the answers. Each route is asked at both addresses: once for a page that wants to read, if only
    // by the browser's own question, and once more for one that does not, which can only POST.
    const posts = EVERY_CHANGE.filter(([, method]) => method === "POST");
    await expect.poll(() => answered().length).toBeGreaterThanOrEqual(2 * (EVERY_CHANGE.length + posts.length));
    expect(answered().filter((status) => status < 400)).toEqual([]);
  });

  it("finds nothing to talk to at the ports that the dev command has opened beside", async () => {
    const { record, groupId, port } = await stage.take();
    const ports = [...listeningPorts(record.wranglerGroupId), ...listeningPorts(groupId)].filter((own) => own !== port);
    // Wrangler's, the runtime's, and the workspace's.
    expect(ports.length).toBeGreaterThan(2);
    const { page, statuses } = await openPage(neighbourUrl);
    const asks = ports.flatMap((own) =>
      ["/_framework/account/export", "/_framework/session", "/run", "/cdn-cgi/explorer/api/d1/database"].flatMap(
        (path) => [
          { url: `http://localhost:${own}${path}`, method: "GET" },
          { url: `http://127.0.0.1:${own}${path}`, method: "POST" },
        ],
      ),
    );
    const texts = await askAll(page, asks);
    await page.close();
    expect(texts.filter((text) => text !== "")).toEqual([]);
    expect(statuses.filter((status) => status < 300)).toEqual([]);
  });
});

/** How a page's WebSocket to each address ends: with what the other side sends first, or refused. */
const openSockets = (page: Page, urls: readonly string[]): Promise<string[]> =>
  page.evaluate(
    async (all) =>
      Promise.all(
        all.map((url) => {
          const { promise, resolve } = Promise.withResolvers<string>();
          const socket = new WebSocket(url);
          socket.onopen = () => resolve(`opened ${url}`);
          socket.onerror = () => resolve("refused");
          return promise;
        }),
      ),
    urls,
  );

describe("a debugger", { timeout: TIMEOUT_MS }, () => {
  it("is opened for no page: it would read the Worker's variables and run what it likes in it", async () => {
    const { record, groupId } = await stage.take();
    const ports = [...listeningPorts(record.wranglerGroupId), ...listeningPorts(groupId)];
    const { page, statuses } = await openPage(neighbourUrl);
    const urls = ports.flatMap((own) => [`ws://127.0.0.1:${own}/core:user:tally`, `ws://localhost:${own}/`]);
    const ends = await openSockets(page, urls);
    const lists = ports.flatMap((own) => ["/json", "/json/list"].map((path) => `http://127.0.0.1:${own}${path}`));
    await askAll(
      page,
      lists.map((url) => ({ url, method: "GET" })),
    );
    await page.close();
    expect(new Set(ends)).toEqual(new Set(["refused"]));
    expect(statuses.filter((status) => status < 400)).toEqual([]);
  });
});

describe("a page on a name that was rebound to this machine", { timeout: TIMEOUT_MS }, () => {
  it("is told where the app is, and nothing of it, whatever it sends", async () => {
    const { port } = await stage.take();
    const origin = `http://${REBOUND}:${port}`;
    const { page, statuses } = await openPage(`${origin}/stocks`);
    const spoofed = { "mf-original-url": `http://localhost:${port}/`, "tally-front": "guessed" };
    const reads = ["/_framework/session", "/_framework/account/export", "/_framework/actions/list-stocks"];
    const asks = [...EVERY_CHANGE, ...OF_WRANGLER, ...reads.map((path) => [path, "GET"] as const)].map(
      ([path, method]) => ({
        url: `${origin}${path}`,
        method,
        headers: spoofed,
      }),
    );
    const texts = await askAll(page, asks);
    await page.close();
    const told = `{"error":"This app answers only to this machine. Open http://localhost:${port}."}`;
    expect(new Set(texts.filter((text) => text !== ""))).toEqual(new Set([told]));
    expect(new Set(statuses)).toEqual(new Set([403]));
  });
});
