/**
 * What is known of commands, on the disk: which were started, in which process group, and how they ended. So an id is
 * refused twice and a result is found also after a crash of this program. Kept for 1 h.
 */
import { createHash } from "node:crypto";
import { mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HostAnswer } from "../../workspace/host-wire.ts";
import { type CommandResult, WorkspaceError } from "../../workspace/workspace.ts";
import { systemCode } from "./system-error.ts";

/** How long a call is known after its last change, in ms (RUN "Recovery"). */
const KEPT_MS = 3_600_000;

/** The group of a command that runs. `startedAt` is its first process's, as the process table has it. */
export type RunningGroup = { readonly groupId: number; readonly startedAt: string };

const GROUP = ".group";
const RESULT = ".json";

/** The records in one directory, one file a call, named by the hash of its id. */
export class CallRecords {
  readonly #dir: string;

  /** Makes the directory, for its owner alone: results hold what commands printed. */
  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** Remembers a call before its command runs. @throws {WorkspaceError} `repeated` when its id is known. */
  claim(callId: string): void {
    this.#dropOld(Date.now());
    const name = nameOf(callId);
    if (this.#names().some((known) => known.startsWith(name))) throw repeated(callId);
    writeFileSync(join(this.#dir, name + GROUP), "", { flag: "wx", mode: 0o600 });
  }

  /** The record of a call that was claimed, open for reading: what its processes are known by. Close it. */
  open(callId: string): number {
    return openSync(join(this.#dir, nameOf(callId) + GROUP), "r");
  }

  /** Adds the process group. From then on the next start of this program ends it. */
  setGroup(callId: string, group: RunningGroup): void {
    writeFileSync(join(this.#dir, nameOf(callId) + GROUP), `${group.groupId} ${group.startedAt}\n`);
  }

  /** Keeps the result, and forgets the group: nothing of it runs any more. */
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
      return HostAnswer.find.parse(JSON.parse(text)).result ?? undefined;
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Groups that an earlier start left behind. What became of their commands is not known. */
  leftGroups(): RunningGroup[] {
    return this.#names()
      .filter((name) => name.endsWith(GROUP))
      .flatMap((name) => {
        const [, groupId, startedAt] = /^([1-9]\d*) (.*)\n$/.exec(readFileSync(join(this.#dir, name), "utf8")) ?? [];
        return startedAt === undefined ? [] : [{ groupId: Number(groupId), startedAt }];
      });
  }

  /** Each record of a call that has not ended, open for reading. Close them. */
  openLeft(): number[] {
    return this.#names()
      .filter((name) => name.endsWith(GROUP))
      .map((name) => openSync(join(this.#dir, name), "r"));
  }

  /** Says that nothing of the left groups runs any more; their ids stay known. */
  forgetLeftGroups(): void {
    for (const name of this.#names().filter((known) => known.endsWith(GROUP))) {
      writeFileSync(join(this.#dir, name), "");
    }
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
