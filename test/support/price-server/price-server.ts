/**
 * A real HTTP server that speaks as the price sources and rates do. Each test has a world of its own, under a key that is the first
 * part of every path, so tests run side by side. Controlled over HTTP, because tests inside workerd cannot reach it in another way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { type Mood, PriceWorld, type SeenRequest } from "./price-world.ts";
import { serveEodhd } from "./serve-eodhd.ts";
import { type Served, serveFrankfurter } from "./serve-frankfurter.ts";
import { serveTwelveData, type UsedCredits } from "./serve-twelvedata.ts";

/** A server that runs. `url` has no slash at its end. */
export type PriceServer = { readonly url: string; close(): Promise<void> };

type Room = {
  world: PriceWorld;
  used: UsedCredits;
  readonly seen: SeenRequest[];
  /** Tests that wait for a request to be held back. */
  waiting: (() => void)[];
  /** Requests whose answers are held back. */
  held: (() => void)[];
};

/** More than a client may read, in characters. */
const LARGE = 1_100_000;

/** Milliseconds between the bytes of an answer that drips. */
const DRIP_MS = 100;

/** Arrays within each other. */
const DEEP = 400_000;

/** JSON, or a text as it is. */
const send = (response: ServerResponse, status: number, body: unknown): void => {
  if (typeof body === "string") {
    response.writeHead(status, { "content-type": "text/html; charset=UTF-8" }).end(body);
    return;
  }
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

/** Answers in ways that no source should. True if it did. */
const misbehave = (mood: Mood, response: ServerResponse): boolean => {
  switch (mood) {
    case "hang":
      return true;
    case "drip": {
      // Never too long, never over: a byte now and then.
      response.writeHead(200, { "content-type": "application/json" }).write("[");
      const drip = setInterval(() => response.write(" "), DRIP_MS);
      response.on("close", () => clearInterval(drip));
      return true;
    }
    case "labelled":
      response.writeHead(200, { "content-type": "application/json" }).end("<h1>Just a moment</h1>");
      return true;
    case "deep":
      response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(DEEP) + "]".repeat(DEEP));
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Just a moment</h1>");
      return true;
    case "forbidden":
      send(response, 403, `<html><head><title>403 Forbidden</title></head><body>${"<hr>".repeat(1_000)}</body></html>`);
      return true;
    case "redirect":
      response.writeHead(302, { location: "/elsewhere", "content-type": "application/json" }).end("[]");
      return true;
    case "large":
      send(response, 200, [{ padding: "x".repeat(LARGE) }]);
      return true;
    case "cut":
      response.writeHead(200, { "content-type": "application/json" }).end('[{"date":');
      return true;
    default:
      return false;
  }
};

const keyOf = (request: IncomingMessage, url: URL): string =>
  url.searchParams.get("api_token") ?? request.headers.authorization?.replace(/^apikey /, "") ?? "";

/** Its mood at a path. */
const moodAt = ({ mood, moods }: PriceWorld, path: string): Mood =>
  moods[path.replace(/^\/api/, "").split("/")[1] ?? ""] ?? mood;

/** What a refusal looks like at each service; undefined when it answers. */
const refusalOf = (world: PriceWorld, path: string, given: string): Mood | undefined => {
  if (world.key !== undefined && given !== world.key) return "auth";
  const mood = moodAt(world, path);
  return mood === "fine" ? undefined : mood;
};

const serve = ({ world, used }: Room, path: string, query: URLSearchParams, key: string): Served => {
  const refusal = refusalOf(world, path, key);
  if (path === "/v2/rates") return world.mood === "down" ? [503, { message: "down" }] : serveFrankfurter(world);
  if (path.startsWith("/api/")) return serveEodhd(world, path.slice("/api".length), query, refusal);
  return serveTwelveData(world, path, query, refusal, used);
};

const route = async (rooms: Map<string, Room>, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://server");
  const [, first = "", ...parts] = url.pathname.split("/").map(decodeURIComponent);
  const name = first === "by-key" ? keyOf(request, url) : first;
  const world = PriceWorld.parse({});
  const room = rooms.get(name) ?? { world, used: { ofMinute: 0 }, seen: [], waiting: [], held: [] };
  rooms.set(name, room);
  if (request.method === "PUT") {
    room.world = PriceWorld.parse(await json(request));
    room.used = { ofMinute: 0 };
    for (const answer of room.held.splice(0)) answer();
    return send(response, 200, {});
  }
  const path = `/${parts.join("/")}`;
  if (path === "/seen") return send(response, 200, room.seen);
  const tell = (): void => send(response, 200, {});
  if (path === "/held") return void (room.held.length > 0 ? tell() : room.waiting.push(tell));
  room.seen.push({ path, query: url.search, key: keyOf(request, url) });
  const answer = (): void => {
    if (misbehave(moodAt(room.world, path), response)) return;
    send(response, ...serve(room, path, url.searchParams, keyOf(request, url)));
  };
  if (room.world.mood !== "hold") return answer();
  room.held.push(answer);
  for (const notice of room.waiting.splice(0)) notice();
};

/** Starts the server on 127.0.0.1 and a free port. */
export const startPriceServer = async (): Promise<PriceServer> => {
  const rooms = new Map<string, Room>();
  // Whoever asks ends its idle connections: closed here, one could be in use again already.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    route(rooms, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, { message: `The price server itself failed: ${String(error)}` });
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
