/** `npm run workspace` as a program of its own, to be killed and started again on the same port with the same token. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "../../../src/process/port.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";
import type { ServedDirectory } from "../stage/start-stage.ts";

/** Serves one directory, with deaths. */
export class MortalWorkspace implements ServedDirectory {
  readonly token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  readonly #dir: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(dir: string, port: number) {
    this.#dir = dir;
    this.#port = port;
  }

  /** Serves `dir`. */
  static async start(dir: string): Promise<MortalWorkspace> {
    const workspace = new MortalWorkspace(dir, await findFreePort());
    await workspace.start();
    return workspace;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts it again. Resolves when it listens. */
  async start(): Promise<void> {
    const program = join(PROJECT_DIR, "src/cli/serve-workspace.ts");
    const child = spawn(process.execPath, [program, "--port", String(this.#port)], {
      env: { ...process.env, WORKSPACE_TOKEN: this.token, AGENT_WORKSPACE_DIR: this.#dir },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    for await (const line of createInterface(child.stdout)) if (line.startsWith("Serving on")) break;
    child.stdout.resume();
  }

  /** `kill -9`. Commands that it has started live on. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Frozen: the system accepts its connections, and nobody reads them. Commands that it has started continue. */
  stand(): void {
    this.#child?.kill("SIGSTOP");
  }

  goOn(): void {
    this.#child?.kill("SIGCONT");
  }

  async close(): Promise<void> {
    this.goOn();
    await this.#end("SIGTERM");
    await rm(join(PROJECT_DIR, ".wrangler", `workspace-${this.#port}`), { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}
