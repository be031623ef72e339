/** The dev command's listener, in front of a server that replaces wrangler's. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { it as base, expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { startFront } from "../../../src/cli/front/front.ts";
import { findFreePort } from "../../../src/process/port.ts";

/** What a test makes of wrangler's side. */
type Stage = {
  readonly port: number;
  /** Asks by HTTP, as a program does. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** A connection to write requests to by hand, and all it has answered so far. */
  dial(): { socket: Socket; answered: () => string };
};

/** A listener in front of `answer`, until the test is over. */
const it = base.extend<{ serve: (answer: RequestListener) => Promise<Stage> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  serve: async ({}, use) => {
    const ends: (() => Promise<unknown>)[] = [];
    await use(async (answer) => {
      const inner = createServer(answer).listen(0, "127.0.0.1");
      await once(inner, "listening");
      const address = inner.address();
      if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
      const port = await findFreePort();
      const front = await startFront(port, { port: address.port, secret: "s3cret" });
      front.open();
      ends.push(async () => {
        await front.close();
        inner.closeAllConnections();
        inner.close();
      });
      const dial = () => {
        const socket = connect(port, "127.0.0.1").setEncoding("latin1");
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk;
        });
        ends.push(async () => socket.destroy());
        return { socket, answered: () => text };
      };
      return { port, dial, ask: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init) };
    });
    for (const end of ends.reverse()) await end();
  },
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
};

const EVENTS = "/_framework/runs/r/events";

it("passes a POST without a body on as one, as `curl -X POST` sends it: with no length at all", async ({ serve }) => {
  const { dial } = await serve((request, response) => {
    const { "transfer-encoding": encoding, "content-length": length } = request.headers;
    response.end(`<${request.method} ${encoding ?? "whole"} ${length ?? "0"}>`);
  });
  const { socket, answered } = dial();
  socket.write("POST /abort HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
  await expect.poll(answered).toContain("<POST whole 0>");
});

it("passes method, path, headers and body on, and the answer's status, headers and body back", async ({ serve }) => {
  const { ask, port } = await serve(async (request, response) => {
    const { method, url, headers } = request;
    response.writeHead(207, [...["Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Odd", "yes", "Date", "then"]]);
    response.end(JSON.stringify([method, url, headers.host, headers["tally-front"], await bodyOf(request)]));
  });
  const answer = await ask("/x/%2e%2e/ä?q=1", { method: "PUT", body: "some words" });
  expect(answer.status).toBe(207);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect([answer.headers.get("x-odd"), answer.headers.get("date")]).toEqual(["yes", "then"]);
  expect(await answer.json()).toEqual(["PUT", "/%C3%A4?q=1", `127.0.0.1:${port}`, "s3cret", "some words"]);
});

it("asks for a file whose name changes with its content once, and for all else each time", async ({ serve }) => {
  const asked: string[] = [];
  const { ask } = await serve(({ url = "", headers }, response) => {
    asked.push(url);
    const isKept = url.startsWith("/assets/") || url === "/immutable";
    response.writeHead(url === "/assets/gone.js" ? 404 : 200, {
      "cache-control": isKept ? "public, max-age=31536000, immutable" : "public, max-age=0",
      etag: '"1"',
      // Of the response, not of the second in which it was sent.
      date: "Mon, 23 Nov 2026 08:00:00 GMT",
    });
    response.end(`${url} ${headers["accept-encoding"]} ${headers.range} ${asked.length}`);
  });
  const twice = async (path: string, headers: Record<string, string> = {}) => {
    const [first, second] = [await ask(path, { headers }), await ask(path, { headers })];
    expect(second.headers).toEqual(first.headers);
    return (await first.text()) === (await second.text());
  };
  expect(await twice("/assets/app-AB12.js")).toBe(true);
  expect(await twice("/assets/app-AB12.js", { "accept-encoding": "identity" })).toBe(true);
  expect(await twice("/assets/app-AB12.js", { range: "bytes=0-1" })).toBe(false);
  expect(await twice("/assets/app-AB12.js", { "if-none-match": '"0"' })).toBe(false);
  expect(await twice("/assets/gone.js")).toBe(false);
  expect(await twice("/assets/../immutable")).toBe(false);
  expect(await twice("/stocks")).toBe(false);
  expect(asked).toHaveLength(12);
});

it("names each of its own refusals, so that it can be asked about", async ({ serve }) => {
  const { ask } = await serve((_, response) => response.end());
  const refusals = await Promise.all([ask("/cdn-cgi/explorer"), ask("/__cf_local/x")]);
  expect(refusals.map(({ status }) => status)).toEqual([404, 404]);
  expect(new Set(refusals.map(({ headers }) => headers.get("x-request-id"))).size).toBe(2);
  expect(refusals[0]?.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

it("passes a body on while it comes, and the answer while it is made", async ({ serve }) => {
  const { dial, port } = await serve((request, response) => void request.pipe(response));
  const { socket, answered } = dial();
  socket.write(`POST /echo HTTP/1.1\r\nHost: localhost:${port}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n`);
  await expect.poll(answered).toContain("four");
  socket.write("4\r\nfive\r\n0\r\n\r\n");
  await expect.poll(answered).toMatch(/four[\s\S]*five[\s\S]*\r\n0\r\n\r\n$/);
});

it("takes the rest of a body in whose request was answered before, and goes on with the next one", async ({
  serve,
}) => {
  const { dial, port } = await serve((request, response) => {
    response.writeHead(request.method === "POST" ? 413 : 204).end();
    if (request.method === "POST") response.once("finish", () => request.socket.destroy());
  });
  const { socket, answered } = dial();
  socket.write(`POST /x HTTP/1.1\r\nHost: localhost:${port}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n`);
  await expect.poll(answered).toMatch(/^HTTP\/1.1 413 /);
  const chunk = `100000\r\n${"x".repeat(0x10_00_00)}\r\n`;
  socket.write(`${chunk.repeat(3)}0\r\n\r\nGET /next HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await expect.poll(answered).toContain("HTTP/1.1 204 ");
});

it("does not let a body that nobody reads continue forever", async ({ serve }) => {
  const { dial, port } = await serve((_, response) => void response.writeHead(413).end());
  const { socket, answered } = dial();
  socket.write(`POST /x HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 100000000\r\n\r\n`);
  await expect.poll(answered).toMatch(/^HTTP\/1.1 413 /);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  // The write fails when the connection goes.
  socket.on("error", () => undefined).write("x".repeat(100_000_000));
  await closed;
});

it("passes an event stream on frame by frame, byte for byte, and ends it with its connection", async ({ serve }) => {
  let source: ServerResponse | undefined;
  const { dial, port } = await serve((request, response) => {
    source = response;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "x-cursor": request.headers["last-event-id"] ?? "",
    });
    response.write("id: 1\n\n");
  });
  const { socket, answered } = dial();
  socket.write(`GET ${EVENTS}?after=0 HTTP/1.1\r\nHost: localhost:${port}\r\nLast-Event-ID: 7\r\n\r\n`);
  await expect.poll(answered).toContain("id: 1\n\n");
  expect(answered()).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*x-cursor: 7\r\n[\s\S]*\r\nConnection: close\r\n\r\n/);
  source?.write("id: 2\n\n");
  await expect.poll(answered).toContain("id: 2\n\n");
  source?.end("id: 3\n\n");
  await once(socket, "close");
  expect(answered()).toMatch(/7\r\nid: 3\n\n\r\n0\r\n\r\n$/);
});

it.for(["/x", EVENTS])("ends what was asked at %s when the client leaves", async (path, { serve }) => {
  const left = Promise.withResolvers<void>();
  const { dial, port } = await serve((request, response) => {
    request.socket.once("close", () => left.resolve());
    response.writeHead(200).write("begun");
  });
  const { socket, answered } = dial();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await expect.poll(answered).toContain("begun");
  socket.destroy();
  await left.promise;
});

it("keeps the order of answers on one connection, with an event stream among them", async ({ serve }) => {
  const { dial, port } = await serve((request, response) => {
    if (request.url === "/first") setTimeout(() => response.end("first"), 20);
    else response.end("second");
  });
  const { socket, answered } = dial();
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
  socket.write(get("/first") + get(EVENTS));
  await expect.poll(answered).toMatch(/first[\s\S]*second/);
});

it("refuses a name that is not this machine's before anything goes on", async ({ serve }) => {
  let asked = 0;
  const { dial, port } = await serve((_, response) => {
    asked++;
    response.end();
  });
  const { socket, answered } = dial();
  socket.write(`GET /_framework/session HTTP/1.1\r\nHost: rebound.test:${port}\r\n\r\n`);
  await expect.poll(answered).toContain(`Open http://localhost:${port}.`);
  expect(asked).toBe(0);
});

it("lets a request wait until the app is there", async () => {
  const asked: (string | undefined)[] = [];
  const inner = createServer(({ url }, response) => {
    asked.push(url);
    response.end("here");
  }).listen(0, "127.0.0.1");
  await once(inner, "listening");
  const address = z.object({ port: z.int() }).parse(inner.address());
  const port = await findFreePort();
  const front = await startFront(port, { port: address.port, secret: "s3cret" });
  const answer = fetch(`http://127.0.0.1:${port}/`);
  // Each server answers what came later: whatever the front had passed on would have come before.
  await fetch(`http://127.0.0.1:${port}/cdn-cgi/`);
  await fetch(`http://127.0.0.1:${address.port}/later`);
  expect(asked).toEqual(["/later"]);
  front.open();
  expect(await (await answer).text()).toBe("here");
  await front.close();
  inner.close();
});

it.for(["GET /x", "POST /x", `GET ${EVENTS}`])(
  "closes the connection of %s when wrangler did",
  async (line, { serve }) => {
    const { dial, port } = await serve((request) => void request.socket.destroy());
    const { socket, answered } = dial();
    socket.write(`${line} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await once(socket, "close");
    expect(answered()).toBe("");
  },
);

it("cuts off a response that wrangler cut off", async ({ serve }) => {
  const { ask } = await serve((request, response) => {
    response.writeHead(200).write("half");
    setImmediate(() => request.socket.destroy());
  });
  const answer = await ask("/x");
  await expect(answer.text()).rejects.toThrow();
});

/** What makes the connections fresh that a request may get. */
const FRESH = Array.from({ length: 8 }, () => "GET /_framework/health");

it("sends a POST after a pause on a connection that a GET has used before it", async ({ serve }) => {
  const seen: string[] = [];
  const { ask } = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().once("end", () => response.end("{}"));
  });
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void clock.mockRestore());
  const post = async () => await (await ask("/x", { method: "POST", body: "y" })).text();
  await post();
  await post();
  clock.mockReturnValue(4_900);
  await post();
  await post();
  // The first one because wrangler had been asked whether it is ready.
  expect(seen).toEqual([...FRESH, "POST /x", "POST /x", ...FRESH, "POST /x", "POST /x"]);
});

for (const path of ["/_framework/runs/r/events", "/y"]) {
  it(`sends it so, too, when the last reader of ${path} has left`, async ({ serve }) => {
    const seen: string[] = [];
    const left = Promise.withResolvers<void>();
    const { ask } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url !== path) return void request.resume().once("end", () => response.end("{}"));
      response.once("close", left.resolve).writeHead(200).write("data: 1\n\n");
    });
    const clock = vi.spyOn(performance, "now").mockReturnValue(60_000_000);
    onTestFinished(() => void clock.mockRestore());
    const post = async () => await (await ask("/x", { method: "POST", body: "y" })).text();
    await post();
    const leave = new AbortController();
    await ask(path, { signal: leave.signal });
    leave.abort();
    await left.promise;
    clock.mockReturnValue(60_004_900);
    await post();
    expect(seen).toEqual(["POST /x", `GET ${path}`, ...FRESH, "POST /x"]);
  });
}
