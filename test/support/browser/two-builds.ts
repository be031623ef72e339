/** A site whose app can be replaced by another build of itself while its pages are open. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { Agent, createServer, request, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { PROJECT_DIR } from "../../../src/process/project.ts";

const PUBLIC_DIR = join(PROJECT_DIR, "public");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
};

/** A connection for each request, as in `weak-link.ts`. */
const FRESH = new Agent({ keepAlive: false });

/** Text of the files that name others. */
type Build = ReadonlyMap<string, string>;

export type TwoBuilds = {
  readonly url: string;
  /** Paths of the scripts and styles of the first build, and of the second, which has no name in common with it. */
  readonly files: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** From now on there is only the second build. */
  deploySecond(): void;
  close(): Promise<void>;
};

/** Serves the build that is in `public/`, and all that is not the app's from the site at `siteUrl`. */
export const serveTwoBuilds = async (siteUrl: string): Promise<TwoBuilds> => {
  const upstream = new URL(siteUrl);
  const first = readBuild();
  const builds = [first, renamed(first)] as const;
  let current: Build = first;
  const answer = (path: string, response: ServerResponse): void => {
    const text = current.get(path);
    const file = join(PUBLIC_DIR, path);
    const head = { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Cache-Control": "no-cache" };
    if (text !== undefined) response.writeHead(200, head).end(text);
    else if (!path.startsWith("/assets/") && existsSync(file) && statSync(file).isFile()) {
      createReadStream(file).pipe(response.writeHead(200, head));
    } else if (extname(path) !== "") response.writeHead(404).end();
    else response.writeHead(200, { ...head, "Content-Type": TYPES[".html"] ?? "" }).end(current.get("/index.html"));
  };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? "/";
    if (!/^\/(_framework|api)\//.test(path)) return void answer(path.split("?", 1)[0] ?? "/", response);
    const { method, headers } = incoming;
    const outgoing = request(
      { agent: FRESH, host: upstream.hostname, port: upstream.port, method, path, headers },
      (passed) => passed.pipe(response.writeHead(passed.statusCode ?? 502, passed.rawHeaders)),
    );
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    files: [assetsOf(builds[0]), assetsOf(builds[1])],
    deploySecond: () => {
      current = builds[1];
    },
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};

const readBuild = (): Build => {
  const read = (path: string) => [path, readFileSync(join(PUBLIC_DIR, path), "utf8")] as const;
  const assets = readdirSync(join(PUBLIC_DIR, "assets")).map((name) => `/assets/${name}`);
  return new Map(["/index.html", "/service-worker.js", ...assets].map(read));
};

/** The same app as if another line of it had changed each file: all names are others, and so is the build's id. */
const renamed = (build: Build): Build => {
  const change = (text: string): string => names.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const names = [...assetsOf(build)].map((path) => {
    const name = path.slice("/assets/".length);
    return [name, name.replace(/-[A-Z0-9]{8}\./, `-${randomBytes(4).toString("hex").toUpperCase()}.`)] as const;
  });
  const id = /id:"([0-9a-f]{12})"/.exec(build.get("/service-worker.js") ?? "")?.[1] ?? "";
  const otherId = randomBytes(6).toString("hex");
  return new Map([...build].map(([path, text]) => [change(path), change(text).replaceAll(id || "-", otherId)]));
};

const assetsOf = (build: Build): ReadonlySet<string> =>
  new Set([...build.keys()].filter((path) => path.startsWith("/assets/")));
