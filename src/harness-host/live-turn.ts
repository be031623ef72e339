/** One turn that is running: its process, whose lines are passed on, and its end, which comes once. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { tryParseJson } from "../contract/parse-json.ts";
import { TurnLine } from "../harness/agent-sdk/host-wire.ts";
import { WITH_COMPILE_CACHE } from "../process/project.ts";
import { readLines } from "../workspace/host/host-answer.ts";
import type { AgentAnswer, AgentStart } from "./agent/agent-start.ts";
import { removeDir } from "./remove-dir.ts";
import { endTurn, recordTurn } from "./turn-processes.ts";

const PROGRAM = join(import.meta.dirname, "agent", "run-agent.ts");

/** What the process and the SDK need to find programs, and nothing that could be a secret. */
const PASSED_ON = ["PATH", "LANG", "TERM", "TMPDIR"] as const;

/** How much of what the process said last is kept to explain its end, in characters. */
const MAX_LAST_WORDS = 2_000;

/** The question that was answered is not open, or not any more. */
export class NotAsked extends Error {
  constructor() {
    super("No such question is open.");
    this.name = "NotAsked";
  }
}

/** A turn from its start to its end. */
export class LiveTurn {
  readonly #recordsDir: string;
  readonly #start: AgentStart;
  readonly #openQuestions = new Set<string>();
  /** Aborted as soon as the turn ends, so that no line follows the last one. */
  readonly #stopping = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #input: Writable | undefined;

  constructor(recordsDir: string, start: AgentStart) {
    this.#recordsDir = recordsDir;
    this.#start = start;
  }

  /** Passes all lines to `onLine`, the last being `ended`. Resolves when no process of the turn is running. Call it once. */
  async run(onLine: (line: TurnLine) => void): Promise<void> {
    const { env } = process;
    const { temporaryDir } = this.#start;
    try {
      mkdirSync(temporaryDir, { recursive: true, mode: 0o700 });
      const child = spawn(process.execPath, [...WITH_COMPILE_CACHE, PROGRAM], {
        cwd: this.#start.dir,
        env: Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      await once(child, "spawn");
      onLine(await this.#follow(child, child.pid ?? Number.NaN, onLine));
    } finally {
      this.#ended.resolve();
      // This is done before whoever waits for the end goes on. If it fails, the next start tries again.
      removeDir(temporaryDir);
    }
  }

  /** @throws {NotAsked} when the question is not open. */
  answer(answer: AgentAnswer): void {
    if (this.#input === undefined || !this.#openQuestions.delete(answer.questionId)) throw new NotAsked();
    this.#input.write(`${JSON.stringify(answer)}\n`);
  }

  /** Ends the turn. Resolves when no process of it is running. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended.promise;
  }

  async #follow(child: ChildProcess, groupId: number, onLine: (line: TurnLine) => void): Promise<TurnLine> {
    const { mark } = this.#start;
    const root = recordTurn(this.#recordsDir, mark, groupId);
    const exited = once(child, "exit");
    const lastWords = keepLastWords(child);
    this.#input = child.stdin ?? undefined;
    // The process may end before it reads; its exit is noticed anyway.
    this.#input?.on("error", () => undefined);
    this.#input?.write(`${JSON.stringify(this.#start)}\n`);
    const stopped = new Promise<TurnLine>((resolve) => {
      const end = () => resolve({ type: "ended", end: "stopped", message: "" });
      if (this.#stopping.signal.aborted) end();
      this.#stopping.signal.addEventListener("abort", end, { once: true });
    });
    const last = await Promise.race([this.#passOn(child, onLine), stopped]);
    this.#stopping.abort();
    await endTurn(this.#recordsDir, mark, root);
    const [code, signal] = await exited;
    const words = lastWords() || `The agent's process ended (${signal ?? code}).`;
    const end = last ?? ({ type: "ended", end: "lost", message: words } as const);
    // The person's screen says only that the process ended (decision 0099).
    if (end.type === "ended" && end.end === "lost")
      process.stderr.write(`Workspace server: the agent's process ended before its answer: ${end.message}\n`);
    return end;
  }

  /** The process's own last line; undefined when it ended without one. */
  async #passOn(child: ChildProcess, onLine: (line: TurnLine) => void): Promise<TurnLine | undefined> {
    if (child.stdout === null) return undefined;
    for await (const text of readLines(child.stdout)) {
      const line = TurnLine.safeParse(tryParseJson(text)).data;
      if (line === undefined) continue;
      if (line.type === "ended") return line;
      if (this.#stopping.signal.aborted) continue;
      if (line.type === "permission" || line.type === "tool") this.#openQuestions.add(line.questionId);
      onLine(line);
    }
    return undefined;
  }
}

const keepLastWords = (child: ChildProcess): (() => string) => {
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-MAX_LAST_WORDS);
  });
  return () => words.trim();
};
