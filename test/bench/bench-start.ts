/**
 * Measures a cold start: the CPU time of a workerd that parses and evaluates the Worker as a deploy bundles it and answers once,
 * beside the bare Worker of the floor. CPU time, since what else the machine does lengthens every other.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buildWorker, MODULES_DIR } from "../../src/cli/build/build-worker.ts";
import { runWrangler, workerdProgram } from "../../src/cli/dev/wrangler.ts";
import { groupCpuMs } from "./group-cpu.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";

/** Both sides start with what wrangler.toml says; one more start of each, which warms up the file cache, is not counted. */
const COMPATIBILITY = /^compatibility_(date|flags) = (.+)$/gm;

const FLOOR_CONFIG = join(import.meta.dirname, "floor/wrangler.toml");

/** Takes turns for `rounds` rounds. The product's figure is what it takes beyond the floor's of the same round. */
export const benchStart = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-start-"));
  stops.add(() => rm(dir, { recursive: true, force: true }));
  await buildWorker(dir);
  const files = {
    floor: await describeWorker(await bundleFloor(join(dir, "floor"))),
    product: await describeWorker(join(dir, MODULES_DIR)),
  };
  const samples: Result["samples"] = { floor: [], product: [] };
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(`cold start, round ${round} of ${rounds}\n`);
    const floorMs = await startOnce(files.floor, stops);
    const productMs = await startOnce(files.product, stops);
    if (round === 0) continue;
    samples.floor.push(floorMs);
    samples.product.push(productMs - floorMs);
  }
  const bound = { of: "absolute", is: "at most", value: 100 } as const;
  return [{ budget: { name: "CPU of a cold start, beyond the floor's", unit: "ms", bound }, samples }];
};

/** Bundles the floor as wrangler does by itself, minified like ours. Gives the directory of its module. */
const bundleFloor = async (outDir: string): Promise<string> => {
  const args = ["deploy", "--dry-run", "--minify", "--config", FLOOR_CONFIG, "--outdir", outDir];
  const { exitCode, output } = await runWrangler(args, { relay: false, signal: new AbortController().signal });
  if (exitCode !== 0) throw new Error(`${output}The floor cannot be bundled.`);
  return outDir;
};

/** Writes the file that tells workerd of a directory's modules, of which `worker.js` comes first. */
const describeWorker = async (modulesDir: string): Promise<string> => {
  const others = (await readdir(modulesDir)).filter((name) => name.endsWith(".js") && name !== "worker.js");
  const modules = ["worker.js", ...others].map((name) => `(name = "${name}", esModule = embed "${name}")`);
  const [date, flags] = [...(await readFile(FLOOR_CONFIG, "utf8")).matchAll(COMPATIBILITY)].map(([, , value]) => value);
  const worker = `modules = [${modules.join()}], compatibilityDate = ${date}, compatibilityFlags = ${flags}`;
  const file = join(modulesDir, "workerd.capnp");
  await writeFile(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (${worker}))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);\n`,
  );
  return file;
};

/** CPU time in ms until the first answer, whatever it says: nothing is bound, so there is no database. */
const startOnce = async (file: string, stops: Stops): Promise<number> => {
  const workerd = spawn(workerdProgram(), ["serve", "--control-fd=3", file], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  const ended = once(workerd, "exit");
  const stop = () => {
    workerd.kill("SIGKILL");
    return ended;
  };
  stops.add(stop);
  try {
    const answer = await fetch(`http://127.0.0.1:${await portOf(workerd)}/nothing`);
    await answer.text();
    return groupCpuMs(Number(workerd.pid));
  } finally {
    await stop();
  }
};

/** @throws when workerd ends before it listens. */
const portOf = async (workerd: ChildProcess): Promise<number> => {
  const control = workerd.stdio[3];
  let told = "";
  for await (const chunk of control instanceof Readable ? control : []) {
    told += String(chunk);
    const [, port] = /"port":\s*(\d+)/.exec(told) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error("workerd ended before it listened.");
};
