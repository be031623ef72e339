/**
 * `npm run test:faults`: real processes are killed, starved and lied to, and what clients recorded is held against api.md
 * §3 and run.md. `--only CLASS`, `--cases N`, `--seed N` (that case alone; with `--cases` that many from there on).
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stops } from "../bench/stops.ts";
import { sdkClass } from "./agent-sdk/sdk-class.ts";
import { clockClass } from "./clock/clock-class.ts";
import { d1Class } from "./d1/d1-class.ts";
import { type FaultClass, NotTried, type Verdict } from "./fault-class.ts";
import { hangClass } from "./hang/hang-class.ts";
import { killClass, leadClass } from "./kill/kill-class.ts";
import { limitClass } from "./limit/limit-class.ts";
import { modelClass } from "./model/model-class.ts";
import { type ClassResult, formatTable, hasSurvived } from "./report.ts";
import { storageClass } from "./storage/storage-class.ts";
import { workspaceClass } from "./workspace/workspace-class.ts";

const CLASSES: readonly FaultClass[] = [
  ...[killClass, leadClass, modelClass, d1Class, workspaceClass],
  ...[hangClass, limitClass, clockClass, storageClass, sdkClass],
];

const { values: options } = parseArgs({
  options: { seed: { type: "string" }, cases: { type: "string" }, only: { type: "string" } },
});

const seedsOf = ({ ownCases }: FaultClass): number[] => {
  const first = Number(options.seed ?? 0);
  const wanted = options.cases ?? (options.seed === undefined ? undefined : "1");
  const all = ownCases === undefined ? Number.POSITIVE_INFINITY : ownCases - first;
  const count = Math.min(all, Number(wanted ?? ownCases ?? 200));
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
};

const stops = new Stops();
const say = (line: string) => void process.stderr.write(`${line}\n`);

const keepLog = (name: string, log: string): string => {
  const path = join(tmpdir(), `tally-faults-${name}.log`);
  writeFileSync(path, log);
  return path;
};

const runClass = async (faultClass: FaultClass): Promise<ClassResult> => {
  const { name } = faultClass;
  const verdicts: Verdict[] = [];
  try {
    for await (const verdict of faultClass.run({ seeds: seedsOf(faultClass), stops, say })) {
      verdicts.push(verdict);
      const { seed, label, problems, log } = verdict;
      say(`${name} ${seed} ${problems.length === 0 ? "survived" : "FAILED"}: ${label}`);
      for (const problem of problems) say(`  ${problem}`);
      if (problems.length > 0 && log !== undefined)
        say(`  what the product printed: ${keepLog(`${name}-${seed}`, log)}`);
    }
    return { name, verdicts };
  } catch (error) {
    if (error instanceof NotTried) return { name, verdicts, notTried: error.message };
    throw error;
  }
};

const chosen = CLASSES.filter(({ name }) => options.only === undefined || options.only === name);
const seconds = chosen.reduce((sum, one) => sum + seedsOf(one).length * one.caseSeconds, 0);
say(
  `${chosen.map((one) => `${one.name}: ${one.about}`).join("\n")}\nExpected time: about ${Math.ceil(seconds / 60)} min.`,
);
const results: ClassResult[] = [];
try {
  for (const faultClass of chosen) results.push(await runClass(faultClass));
} finally {
  await stops.all();
}
process.stdout.write(`${formatTable(results)}\n`);
process.exit(chosen.length > 0 && hasSurvived(results) ? 0 : 1);
