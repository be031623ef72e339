/** A real HTTP server whose answers a test scripts, one per request and path; and the frames it writes. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Answers one request; it may leave the answer open. */
export type Reply = (answer: ServerResponse, request: IncomingMessage) => void;

/** The server, and what it was asked. */
export type StreamServer = {
  readonly url: string;
  /** Paths with their query, in the order of the requests. */
  readonly requests: readonly string[];
  /** Open answers, to write to later. */
  readonly answers: readonly ServerResponse[];
  /** Resolves when the `count`-th request has come. */
  requested(count: number): Promise<void>;
  /** Resolves when no answer is open any more. */
  left(): Promise<unknown>;
};

/** Plays the replies of a path one after the other; the last one again and again. Stops with the test. */
export const startStreamServer = async (replies: Readonly<Record<string, readonly Reply[]>>): Promise<StreamServer> => {
  const requests: string[] = [];
  const answers: ServerResponse[] = [];
  const ends: Promise<void>[] = [];
  const played = new Map<string, number>();
  const server = createServer((request, answer) => {
    const path = request.url ?? "";
    const base = path.split("?", 1)[0] ?? "";
    const script = replies[path] ?? replies[base] ?? [];
    const key = replies[path] === undefined ? base : path;
    const turn = played.get(key) ?? 0;
    played.set(key, turn + 1);
    requests.push(path);
    answers.push(answer);
    ends.push(new Promise((resolve) => answer.once("close", resolve)));
    (script[Math.min(turn, script.length - 1)] ?? status(404))(answer, request);
    server.emit("requested");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => stop(server));
  const requested = async (count: number) => {
    while (requests.length < count) await once(server, "requested");
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, requests, answers, requested, left: () => Promise.all(ends) };
};

const stop = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
};

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** What every answer of the Worker carries. */
export const OURS = { "X-Request-Id": "4f0e7a52-3c3b-4bfa-9d53-0d1f6f6f3a10" };

/** A status without a body. */
export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (answer) => {
    answer.writeHead(code, headers).end();
  };

/** JSON. */
export const json =
  (body: unknown): Reply =>
  (answer) => {
    answer.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };

/** JSON whose connection is cut in its middle. */
export const cutPage: Reply = (answer) => {
  answer.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  answer.write('{"runs":[', () => setImmediate(() => answer.destroy()));
};

/** What a hotel's network answers in the server's place, before one has signed in there. */
export const foreignPage: Reply = (answer) => {
  answer.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Welcome</title>");
};

const open = (answer: ServerResponse): void => {
  answer.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" }).flushHeaders();
  answer.write("retry: 100\n\n: connected\n\n");
};

/** A stream that writes its pieces and stays open. */
export const stream =
  (...pieces: (string | Uint8Array)[]): Reply =>
  (answer) => {
    open(answer);
    for (const piece of pieces) answer.write(piece);
  };

/** A stream that writes its pieces, waiting for each to be sent, and ends. */
export const streamToEnd =
  (...pieces: (string | Uint8Array)[]): Reply =>
  (answer) => {
    open(answer);
    const next = (index: number): void => {
      const piece = pieces[index];
      if (piece === undefined) answer.end();
      else answer.write(piece, () => setImmediate(next, index + 1));
    };
    next(0);
  };

/** A stream whose connection is cut behind its pieces. */
export const cutStream =
  (...pieces: string[]): Reply =>
  (answer) => {
    open(answer);
    answer.write(pieces.join(""), () => setImmediate(() => answer.destroy()));
  };
