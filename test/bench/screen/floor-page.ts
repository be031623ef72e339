/** The floor of a paint: the same names and prices as a plain page, without a script, from a bare server. */
import { once } from "node:events";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { sampleStocks } from "../../support/browser/stock-samples.ts";

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const pageOf = (count: number): string => {
  const items = sampleStocks(count).map(
    ({ symbol, name, lastPrice = "" }) =>
      `<li><b>${escapeText(symbol)}</b> ${escapeText(name ?? "")} ${lastPrice}</li>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Floor</title><h1>Stocks</h1><ul>${items.join("")}</ul></html>`;
};

/** Serves a page with `count` stocks on 127.0.0.1 and a free port. */
export const startFloorPage = async (count: number): Promise<{ url: string; stop(): Promise<void> }> => {
  const body = gzipSync(pageOf(count));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
