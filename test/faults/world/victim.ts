/** `npm run dev` to be killed: everything it has started dies in the same instant, also in the middle of its start. */
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../../src/process/port.ts";
import { type ListedProcess, listProcesses } from "../../../src/process/process-group.ts";
import { type DevServer, startDevServer } from "../../support/dev-server.ts";

/** Time between two looks at what still runs, in ms. */
const POLL_MS = 20;

/** One dev command after the other, on the same port and data. */
export class Victim {
  readonly port: number;
  /** Where it stores everything. */
  readonly persistTo: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #args: readonly string[];
  #server: DevServer | undefined;
  /** What each life has printed. */
  readonly outputs: string[] = [];

  private constructor(port: number, persistTo: string, env: Readonly<Record<string, string>>, args: readonly string[]) {
    this.port = port;
    this.persistTo = persistTo;
    this.#env = env;
    this.#args = args;
  }

  /** Makes one that does not run yet. `persistTo` is on its command lines, and must not be on any other's. */
  static async create(
    persistTo: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
  ): Promise<Victim> {
    return new Victim(await findFreePort(), persistTo, env, args);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it and waits for `Ready`. */
  async start(): Promise<void> {
    this.#server = await startDevServer({
      persistTo: this.persistTo,
      port: this.port,
      env: this.#env,
      args: this.#args,
    });
  }

  /** Starts it and kills it after `ms`, Ready or not. */
  async startAndKill(ms: number): Promise<void> {
    const starting = this.start().catch(() => undefined);
    await Promise.race([starting, delay(ms)]);
    await this.kill();
    await starting;
    // A start that was faster than its death.
    await this.kill();
  }

  /** `kill -9` of all its process groups at once. */
  async kill(): Promise<void> {
    if (this.#server !== undefined) this.outputs.push(this.#server.output());
    this.#server = undefined;
    while (this.#signalAll() > 0) await delay(POLL_MS);
  }

  /** `kill -9` of one part, after which the dev command ends by itself. */
  async killPart(part: "wrangler" | "workspace"): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const isHost = ({ command }: ListedProcess) => command.includes("serve-dir.ts") && command.includes(this.persistTo);
    if (part === "wrangler") signal(-server.record.wranglerGroupId);
    else for (const { pid } of listProcesses().filter(isHost)) signal(pid);
    await server.ended;
    this.outputs.push(server.output());
    this.#server = undefined;
  }

  /** What the present life has printed. */
  output(): string {
    return this.#server?.output() ?? "";
  }

  #signalAll(): number {
    const groups = this.#groups();
    for (const groupId of groups) signal(-groupId);
    return groups.size;
  }

  /** Groups with a process that names our data, and wrangler's, whose runtimes do not. */
  #groups(): Set<number> {
    const own = listProcesses().filter(({ command }) => command.includes(this.persistTo));
    return new Set(own.map(({ groupId }) => groupId));
  }
}

/** Of a process; of a group where it is negative. */
const signal = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended since.
  }
};
