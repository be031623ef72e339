/**
 * The server of the host workspace: a real directory and a real shell, for one Worker. That is the Worker of `npm run dev`, or a deployed
 * one that calls through a TLS proxy.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KeyedMutex } from "../contract/keyed-mutex.ts";
import { PROTOCOL, PROTOCOL_HEADER, protocolProblem } from "../workspace/host/host-wire.ts";
import { WorkspaceError, type WorkspaceErrorCode } from "../workspace/workspace.ts";
import { answerCall, type CallWorld, type HarnessCalls } from "./answer-call.ts";
import { ALIVE_EVERY_MS } from "./call-io.ts";
import { CommandRecords } from "./command-records.ts";
import { CommandCalls } from "./commands/command-calls.ts";
import { findRipgrep } from "./search/ripgrep.ts";
import { removeLeftFiles } from "./temporary-files.ts";
import type { IdleWorkers } from "./tree/idle-workers.ts";
import { TreeWorkers } from "./tree/tree-workers.ts";
import { openRoot } from "./workspace-root.ts";

/**
 * How long an idle connection is kept, in ms: longer than its callers keep it (the runtime 5 s, a tunnel 90 s). If this end closed it
 * first, a call sent at that moment would be lost.
 */
const KEPT_MS = 120_000;

/** A refusal; `undefined` lets the request in. */
type Refusal = { readonly status: 401 | 403 | 405; readonly message: string };

/**
 * Decides who may call the workspace server: the Worker, by its token, and no page in a browser. A page can send requests to
 * 127.0.0.1, even under a name of its own that resolves to it, but it cannot leave out the headers checked here. Only headers are
 * read, not the body. `hosts` are this server's own, such as `127.0.0.1:4000`.
 */
const refuseRequest = (
  request: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  own: { readonly hosts: readonly string[]; readonly token: string },
): Refusal | undefined => {
  const { headers } = request;
  if (headers.host === undefined || !own.hosts.includes(headers.host)) return { status: 403, message: "Unknown host." };
  const isFromBrowser = "origin" in headers || Object.keys(headers).some((name) => name.startsWith("sec-fetch-"));
  if (isFromBrowser) return { status: 403, message: "Browsers are refused." };
  if (request.method !== "POST") return { status: 405, message: "POST only." };
  if (!isEqual(headers.authorization ?? "", `Bearer ${own.token}`)) return { status: 401, message: "Wrong token." };
  return undefined;
};

/** Compares in constant time: all digests have the same length, and are compared whole. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** How long the last answers may take, in ms. */
const ANSWER_GRACE_MS = 200;

/** A server that listens. */
export type WorkspaceServer = {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Whoever has it can do everything the agent can: it is given to the Worker and to nobody else. */
  readonly token: string;
  /** Whether searches use ripgrep. */
  readonly hasRipgrep: boolean;
  /** Ends all commands, then the server. When it resolves, none of their processes is running. */
  close(): Promise<void>;
};

/** Options of a start. */
export type WorkspaceServerOptions = {
  /** A free port by default. */
  readonly port?: number;
  /** A new random token by default. */
  readonly token?: string;
  /** A `Host` to accept besides the server's own address: the one that a TLS proxy in front of it passes on. */
  readonly publicHost?: string;
  /** False: searches do not use ripgrep even if it is installed. */
  readonly ripgrep?: boolean;
  /** How often a caller that waits for a command is told that it is still running, in ms. 10 s by default. */
  readonly aliveEveryMs?: number;
  /** Workers for lists and searches, to share between servers. Its own by default. */
  readonly workers?: IdleWorkers;
  /** A harness to serve beside the files and commands; it is closed with the server. */
  readonly harness?: HarnessCalls | undefined;
};

/** Where the records of commands are, below `--persist-to`. */
export const recordsIn = (stateDir: string): string => join(stateDir, "commands");

/**
 * Serves `dir` on a port of 127.0.0.1. `stateDir`, which exists, holds the records of commands and is guarded. Run
 * `endLeftCommands` first, for what an earlier start left there.
 */
export const startWorkspaceServer = async (
  dir: string,
  stateDir: string,
  options: WorkspaceServerOptions = {},
): Promise<WorkspaceServer> => {
  const root = await openRoot(dir, stateDir);
  await removeLeftFiles(root);
  const ripgrep = options.ripgrep === false ? undefined : await findRipgrep(process.env.PATH ?? "", root.dir);
  const trees = new TreeWorkers(root, { ripgrep, workers: options.workers });
  trees.warm();
  const commands = new CommandCalls(root, new CommandRecords(recordsIn(stateDir)));
  const aliveEveryMs = options.aliveEveryMs ?? ALIVE_EVERY_MS;
  const world = { root, commands, trees, changes: new KeyedMutex(), aliveEveryMs, harness: options.harness };
  const token = options.token ?? Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const own = { hosts: options.publicHost === undefined ? [] : [options.publicHost], token };
  const server = createServer((request, response) => void answer(request, response, own, world));
  // A command may take 10 minutes, and so may a call that waits for it.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEPT_MS;
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  const host = `127.0.0.1:${address.port}`;
  own.hosts.push(host);
  return {
    url: `http://${host}`,
    token,
    hasRipgrep: ripgrep !== undefined,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await Promise.all([world.commands.close(), trees.close(), options.harness?.close()]);
      // Callers that wait for a command learn how it ended; others are not waited for.
      await Promise.race([closed, delay(ANSWER_GRACE_MS)]);
      server.closeAllConnections();
      await closed;
    },
  };
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  own: { readonly hosts: readonly string[]; readonly token: string },
  world: CallWorld,
): Promise<void> => {
  const refusal = refuseRequest(request, own);
  if (refusal !== undefined) return refuse(response, refusal.status, "unavailable", refusal.message);
  response.setHeader(PROTOCOL_HEADER, String(PROTOCOL));
  const mismatch = protocolProblem(request.headers[PROTOCOL_HEADER], "the Worker");
  if (mismatch !== undefined) return refuse(response, UPGRADE_REQUIRED, "unavailable", mismatch);
  const left = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) left.abort();
  });
  try {
    await answerCall(new URL(request.url ?? "/", "http://workspace"), { request, response, left: left.signal }, world);
  } catch (error) {
    if (error instanceof WorkspaceError) {
      return refuse(response, error.code === "too_large" ? 413 : 422, error.code, error.message);
    }
    // A caller that disconnects while sending its body is not a bug.
    if (left.signal.aborted) return;
    process.stderr.write(`Workspace server: ${error instanceof Error ? error.stack : String(error)}\n`);
    refuse(response, 500, "unavailable", "The workspace server failed; see its terminal for the reason.");
  }
};

/** The status for a caller of another protocol. */
const UPGRADE_REQUIRED = 426;

/** Closes the connection, since the rest of the body is not read. */
const refuse = (response: ServerResponse, status: number, code: WorkspaceErrorCode, message: string): void => {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { "content-type": "application/json", connection: "close" })
    .end(JSON.stringify({ error: { code, message } }));
};
