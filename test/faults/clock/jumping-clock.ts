/** A calendar clock for the dev command that can be put forward and back, also for workerd and its alarms. Linux with a C compiler. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotTried } from "../fault-class.ts";

/** The clock and what makes processes use it. */
export type JumpingClock = {
  readonly env: Readonly<Record<string, string>>;
  /** Moves it by this many ms from its current time. */
  jump(ms: number): void;
};

/** Compiles it. @throws {NotTried} without a compiler. */
export const createJumpingClock = async (): Promise<JumpingClock> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-faults-clock-"));
  const library = join(dir, "jumping-clock.so");
  const file = join(dir, "offset");
  try {
    const source = join(import.meta.dirname, "jumping-clock.c");
    execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], { stdio: "pipe" });
  } catch (error) {
    throw new NotTried(`the clock needs Linux and a C compiler (${String(error).split("\n")[0]})`);
  }
  const descriptor = openSync(file, "w");
  let offsetMs = 0;
  const write = () => {
    const bytes = new BigInt64Array([BigInt(offsetMs)]);
    writeSync(descriptor, new Uint8Array(bytes.buffer), 0, 8, 0);
  };
  write();
  process.once("exit", () => {
    closeSync(descriptor);
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    env: { LD_PRELOAD: library, JUMPING_CLOCK_FILE: file },
    jump: (ms) => {
      offsetMs += ms;
      write();
    },
  };
};
