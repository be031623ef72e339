/**
 * What is known about commands, on disk: which were started, in which process group, and how they ended. With these records an id is
 * refused the second time, and a result is found, even after this program has crashed. They are kept for 1 h.
 */
import { createHash } from "node:crypto";
import { mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../contract/parse-json.ts";
import { HostAnswer } from "../workspace/host/host-wire.ts";
import { type CommandResult, WorkspaceError } from "../workspace/workspace.ts";
import { systemCode } from "./system-error.ts";

/** How long a call is remembered after its last change, in ms (run.md, Recovery). */
const KEPT_MS = 3_600_000;

/** The process group of a running command. `startedAt` is when its first process started, as in the process table. */
export type RunningGroup = { readonly groupId: number; readonly startedAt: string };

const GROUP = ".group";
const RESULT = ".json";

/** The records in one directory: one file for each call, named by the hash of its id. */
export class CommandRecords {
  readonly #dir: string;

  /** Creates the directory, readable by its owner alone: results contain what commands printed. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#makeDir();
  }

  /** Records a call before its command runs. @throws {WorkspaceError} `repeated` when its id is known. */
  claim(callId: string): void {
    // Somebody may have deleted the state while the server runs.
    this.#makeDir();
    this.#dropOld(Date.now());
    const name = nameOf(callId);
    if (this.#names().some((known) => known.startsWith(name))) throw repeated(callId);
    writeFileSync(join(this.#dir, name + GROUP), "", { flag: "wx", mode: 0o600 });
  }

  /** Opens the record of a claimed call for reading; its processes are identified by it. Close it. */
  open(callId: string): number {
    return openSync(join(this.#dir, nameOf(callId) + GROUP), "r");
  }

  /** Adds the process group. If this program is killed, its next start ends that group. */
  setGroup(callId: string, group: RunningGroup): void {
    writeFileSync(join(this.#dir, nameOf(callId) + GROUP), `${group.groupId} ${group.startedAt}\n`);
  }

  /** Stores the result and removes the group, of which nothing is running any more. */
  end(callId: string, result: CommandResult): void {
    const path = join(this.#dir, nameOf(callId));
    writeFileSync(`${path}.tmp`, JSON.stringify({ result }), { mode: 0o600 });
    renameSync(`${path}.tmp`, path + RESULT);
    rmSync(path + GROUP, { force: true });
  }

  /** The result of a call that has ended. */
  result(callId: string): CommandResult | undefined {
    try {
      const text = readFileSync(join(this.#dir, nameOf(callId) + RESULT), "utf8");
      return HostAnswer.find.parse(parseJson(text)).result ?? undefined;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Groups that an earlier start left behind. How their commands ended is unknown. */
  leftGroups(): RunningGroup[] {
    return this.#names()
      .filter((name) => name.endsWith(GROUP))
      .flatMap((name) => {
        const [, groupId, startedAt] = /^([1-9]\d*) (.*)\n$/.exec(readFileSync(join(this.#dir, name), "utf8")) ?? [];
        return startedAt === undefined ? [] : [{ groupId: Number(groupId), startedAt }];
      });
  }

  /** Opens each record of a call that has not ended, for reading. Close them. */
  openLeft(): number[] {
    return this.#names()
      .filter((name) => name.endsWith(GROUP))
      .map((name) => openSync(join(this.#dir, name), "r"));
  }

  /** Called when no process of the groups left behind is running; their ids stay known. */
  forgetLeftGroups(): void {
    for (const name of this.#names().filter((known) => known.endsWith(GROUP))) {
      writeFileSync(join(this.#dir, name), "");
    }
  }

  #makeDir(): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
  }

  #names(): string[] {
    return readdirSync(this.#dir);
  }

  #dropOld(nowMs: number): void {
    for (const name of this.#names()) {
      const path = join(this.#dir, name);
      if (nowMs - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  }
}

const nameOf = (callId: string): string => createHash("sha256").update(callId).digest("hex");

const repeated = (callId: string): WorkspaceError =>
  new WorkspaceError("repeated", `The command ${callId} was started before. It is not run again.`);
