/** The server of the host workspace: a real directory and a real shell, for one Worker on the same machine. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PathTurns } from "../../workspace/path-turns.ts";
import { WorkspaceError, type WorkspaceErrorCode } from "../../workspace/workspace.ts";
import { answerCall, type CallWorld } from "./answer-call.ts";
import { CallRecords } from "./call-records.ts";
import { CommandCalls } from "./command-calls.ts";
import type { IdleThreads } from "./idle-threads.ts";
import { refuseRequest } from "./request-guard.ts";
import { findRipgrep } from "./ripgrep.ts";
import { removeLeftFiles } from "./temporary-files.ts";
import { TreeThreads } from "./tree-threads.ts";
import { ALIVE_EVERY_MS } from "./while-waiting.ts";
import { openRoot } from "./workspace-root.ts";

/** How long the last answers may take, in ms. */
const ANSWER_GRACE_MS = 200;

/** A server that listens. */
export type WorkspaceServer = {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Whoever has it can do all that the agent can: it goes to the Worker and nowhere else. */
  readonly token: string;
  /** Whether searches ask ripgrep. */
  readonly hasRipgrep: boolean;
  /** Ends all commands, then the server. When it resolves, nothing of them runs. */
  close(): Promise<void>;
};

/** What a start may ask for. */
export type WorkspaceServerOptions = {
  /** A free port by default. */
  readonly port?: number;
  /** A new random token by default. */
  readonly token?: string;
  /** A `Host` to accept beside the server's own address: what a TLS proxy in front of it passes on. */
  readonly publicHost?: string;
  /** False: searches without ripgrep, also when it is there. */
  readonly ripgrep?: boolean;
  /** How often a caller that waits for a command is told that it still runs, in ms. 10 s by default. */
  readonly aliveEveryMs?: number;
  /** Threads for lists and searches that several servers share. Its own by default. */
  readonly threads?: IdleThreads;
};

/** Where the records of commands are below `--persist-to`. */
export const recordsIn = (stateDir: string): string => join(stateDir, "commands");

/**
 * Serves `dir` on a port of 127.0.0.1. `stateDir`, which exists, holds the records of commands and is guarded;
 * `endLeftCommands` has dealt with what an earlier start left there.
 */
export const startWorkspaceServer = async (
  dir: string,
  stateDir: string,
  options: WorkspaceServerOptions = {},
): Promise<WorkspaceServer> => {
  const root = await openRoot(dir, stateDir);
  await removeLeftFiles(root);
  const ripgrep = options.ripgrep === false ? undefined : await findRipgrep(process.env.PATH ?? "", root.dir);
  const trees = new TreeThreads(root, { ripgrep, threads: options.threads });
  trees.warm();
  const commands = new CommandCalls(root, new CallRecords(recordsIn(stateDir)));
  const aliveEveryMs = options.aliveEveryMs ?? ALIVE_EVERY_MS;
  const world = { root, commands, trees, changes: new PathTurns(), aliveEveryMs };
  const token = options.token ?? Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const own = { hosts: options.publicHost === undefined ? [] : [options.publicHost], token };
  const server = createServer((request, response) => void answer(request, response, own, world));
  // A command may take its 10 minutes, and so may a call that waits for it.
  server.requestTimeout = 0;
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
      await Promise.all([world.commands.close(), trees.close()]);
      // Those that wait for a command are told how it ended; nobody else is waited for.
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
    // A caller that leaves in the middle of its body is no bug.
    if (left.signal.aborted) return;
    process.stderr.write(`Workspace server: ${error instanceof Error ? error.stack : String(error)}\n`);
    refuse(response, 500, "unavailable", "The workspace server failed; its terminal says why.");
  }
};

/** Closes the connection, since the rest of the body is not read. */
const refuse = (response: ServerResponse, status: number, code: WorkspaceErrorCode, message: string): void => {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { "content-type": "application/json", connection: "close" })
    .end(JSON.stringify({ error: { code, message } }));
};
