/** Builds and serves the page of parts. `npm run parts [-- --port N]` runs it for people. */
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { lateStylesPlugin, TARGET } from "../../../src/cli/build/late-parts.ts";

const ROOT = join(import.meta.dirname, "../../..");

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Parts</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css"></head><body><div id="app"></div><script type="module" src="/page.js"></script></body></html>`;

/** One script and one stylesheet: late code is in it, so that every part is there at once. */
const buildParts = async (): Promise<ReadonlyMap<string, readonly [type: string, body: string]>> => {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(import.meta.dirname, "page.tsx")], outdir: "/", absWorkingDir: ROOT, write: false },
    ...{
      bundle: true,
      format: "esm",
      target: [...TARGET],
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "warning",
    },
    plugins: [lateStylesPlugin(TARGET)],
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return new Map([
    ["/", ["text/html", HTML] as const],
    ["/page.js", ["text/javascript", textOf(".js")] as const],
    ["/page.css", ["text/css", textOf(".css")] as const],
  ]);
};

/** On 127.0.0.1; `port` 0 takes a free one. */
export const serveParts = async (port = 0): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const files = await buildParts();
  const server = createServer(({ url = "/" }, response) => {
    const [type, body] = files.get(new URL(url, "http://parts").pathname) ?? [];
    response.writeHead(type === undefined ? 404 : 200, { "content-type": `${type ?? "text/plain"}; charset=utf-8` });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server of the parts has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "8790" } } });
  const { url } = await serveParts(Number(values.port));
  process.stdout.write(`The page of parts: ${url}\n`);
}
