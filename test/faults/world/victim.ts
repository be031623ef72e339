/** `npm run dev` to be killed: everything it has started dies in the same instant, also in the middle of its start. */
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../../src/process/port.ts";
import { listProcesses } from "../../../src/process/process-group.ts";
import { type DevServer, startDevServer } from "../../support/dev-server.ts";

/** Time between two looks at what still runs, in ms. */
const POLL_MS = 20;

/** One dev command after the other, on the same port and data. */
export class Victim {
  readonly port: number;
  readonly #persistTo: string;
  readonly #env: Readonly<Record<string, string>>;
  #server: DevServer | undefined;
  /** What each life has printed. */
  readonly outputs: string[] = [];

  private constructor(port: number, persistTo: string, env: Readonly<Record<string, string>>) {
    this.port = port;
    this.#persistTo = persistTo;
    this.#env = env;
  }

  /** Makes one that does not run yet. `persistTo` is on its command lines, and must not be on any other's. */
  static async create(persistTo: string, env: Readonly<Record<string, string>>): Promise<Victim> {
    return new Victim(await findFreePort(), persistTo, env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it and waits for `Ready`. */
  async start(): Promise<void> {
    this.#server = await startDevServer({ persistTo: this.#persistTo, port: this.port, env: this.#env });
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

  /** What the present life has printed. */
  output(): string {
    return this.#server?.output() ?? "";
  }

  #signalAll(): number {
    const groups = this.#groups();
    for (const groupId of groups) signal(groupId);
    return groups.size;
  }

  /** Groups with a process that names our data, and wrangler's, whose runtimes do not. */
  #groups(): Set<number> {
    const own = listProcesses().filter(({ command }) => command.includes(this.#persistTo));
    return new Set(own.map(({ groupId }) => groupId));
  }
}

const signal = (groupId: number): void => {
  try {
    process.kill(-groupId, "SIGKILL");
  } catch {
    // It has ended since.
  }
};
