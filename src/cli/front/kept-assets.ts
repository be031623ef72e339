/**
 * The app's files, each passed on to wrangler once. Their names change with their content, so an answer holds for as long as its name
 * does; a page asks for twenty of them, and each would take 7 ms of CPU in wrangler's two runtimes.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { answeredHeaders } from "./passed-headers.ts";

/** Where names change with the content. */
const ASSET = /^\/assets\/[\w.-]+$/;

/** Headers that ask for something else than the whole file. */
const CONDITIONS = ["range", "if-none-match", "if-modified-since"] as const;

/** Most bytes kept; the oldest files go first. All files are 0.6 MB, and each build while this runs adds those that it has changed. */
const MAX_KEPT_BYTES = 16_000_000;

type Kept = { readonly headers: string[]; readonly body: Buffer };

/** What one listener keeps. */
export type KeptAssets = {
  /** Answers with what is kept. False when nothing is, and the request is still to be answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Keeps an answer of wrangler's as it arrives, if it is one that never changes. */
  keep(request: IncomingMessage, answer: IncomingMessage): void;
};

export const keptAssets = (): KeptAssets => {
  // Oldest first.
  const kept = new Map<string, Kept>();
  let keptBytes = 0;

  const add = (key: string, asset: Kept): void => {
    // The file was asked for twice at once.
    if (kept.has(key)) return;
    kept.set(key, asset);
    keptBytes += asset.body.byteLength;
    for (const [oldest, { body }] of kept) {
      if (keptBytes <= MAX_KEPT_BYTES) return;
      kept.delete(oldest);
      keptBytes -= body.byteLength;
    }
  };

  return {
    answer: (request, response) => {
      const asset = kept.get(keyOf(request) ?? "");
      if (asset === undefined) return false;
      response.sendDate = false;
      response.writeHead(200, asset.headers).end(asset.body);
      return true;
    },
    keep: (request, answer) => {
      const key = keyOf(request);
      if (key === undefined || !neverChanges(answer)) return;
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("end", () => {
        if (answer.complete) add(key, { headers: answeredHeaders(answer.rawHeaders), body: Buffer.concat(chunks) });
      });
    },
  };
};

/** What an answer depends on; undefined when the request is not for a whole file. */
const keyOf = ({ method, url = "", headers }: IncomingMessage): string | undefined =>
  method === "GET" && ASSET.test(url) && !hasCondition(headers) ? `${url} ${headers["accept-encoding"]}` : undefined;

const hasCondition = (headers: IncomingHttpHeaders): boolean => CONDITIONS.some((name) => headers[name] !== undefined);

const neverChanges = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && headers["cache-control"]?.includes("immutable") === true && headers["set-cookie"] === undefined;
