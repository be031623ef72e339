/** Measures what the dev command's listener costs: the same floor with it and without it, in turns. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findFreePort } from "../../src/process/port.ts";
import { readProcStat } from "../support/proc-stat.ts";
import type { Budget } from "./budgets.ts";
import { floorAt, startFloor } from "./floor-subject.ts";
import { fanOut, fanOutCpu, turnStart } from "./measures.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";
import type { Subject } from "./subject.ts";

const DELTAS = 2_000;

const BUDGETS: readonly Budget[] = [
  {
    // A turn start of the product takes about 10 ms; 1 ms more of it is 1.1.
    ...{ name: "listener: POST turn, p50", unit: "ms", measure: turnStart(100) },
    bound: { of: "floor", is: "at most", value: 1.1 },
  },
  {
    ...{ name: "listener: 2,000 deltas to 500", unit: "deltas/s", measure: fanOut(DELTAS, 500) },
    bound: { of: "floor", is: "at least", value: 0.9 },
  },
  {
    ...{ name: "listener: server CPU of that", unit: "ms", measure: fanOutCpu(DELTAS, 500) },
    bound: { of: "floor", is: "at most", value: 1.1 },
  },
];

/** Runs `rounds` rounds after one that warms up. */
export const benchListener = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const floor = await startFloor();
  stops.add(floor.stop);
  const port = await findFreePort();
  const program = spawn(process.execPath, [
    join(import.meta.dirname, "listener-program.ts"),
    `${port}`,
    `${floor.port}`,
  ]);
  stops.add(async () => void program.kill());
  await once(program.stdout, "data");
  const ownCpuMs = () => readProcStat(program.pid ?? 0).cpuSeconds * 1_000;
  const behind: Subject = {
    ...floorAt(`http://127.0.0.1:${port}`, () => floor.cpuMs() + ownCpuMs()),
    stop: floor.stop,
  };
  const sides: readonly (readonly ["floor" | "product", Subject])[] = [
    ["floor", floor],
    ["product", behind],
  ];
  const results = BUDGETS.map((budget) => ({ budget, samples: { floor: [] as number[], product: [] as number[] } }));
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(`listener, round ${round} of ${rounds}\n`);
    for (const { budget, samples } of results) {
      for (const [name, subject] of round % 2 === 0 ? sides : sides.toReversed()) {
        const sample = await budget.measure(subject);
        if (round > 0) samples[name].push(sample);
      }
    }
  }
  return results;
};
