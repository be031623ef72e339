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
import { PACKAGES_DIR } from "../../src/host/project.ts";
import { runWrangler } from "../../src/host/run-wrangler.ts";
import { DEPLOY_BUILD } from "../../src/host/worker-build.ts";
import { groupCpuMs } from "./group-cpu.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";

const WORKERD = join(PACKAGES_DIR, "workerd/bin/workerd");

/** Both sides start with what wrangler.toml says; a start more of each, which warms the files up, is not counted. */
const COMPATIBILITY = /^compatibility_(date|flags) = (.+)$/gm;

const CONFIGS = { floor: join(import.meta.dirname, "floor/wrangler.toml"), product: "wrangler.toml" } as const;

type Side = keyof typeof CONFIGS;

/** Takes turns for `rounds` rounds. The product's figure is what it takes beyond the floor's of the same round. */
export const benchStart = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-start-"));
  stops.add(() => rm(dir, { recursive: true, force: true }));
  const files = { floor: await bundle("floor", dir), product: await bundle("product", dir) };
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

/** Bundles one side as a deploy does. Gives the file that tells workerd of it. */
const bundle = async (side: Side, dir: string): Promise<string> => {
  const outDir = join(dir, side);
  const args = ["deploy", "--dry-run", ...DEPLOY_BUILD, "--config", CONFIGS[side], "--outdir", outDir];
  const { exitCode, output } = await runWrangler(args, { relay: false, signal: new AbortController().signal });
  if (exitCode !== 0) throw new Error(`${output}The ${side} cannot be bundled.`);
  const texts = (await readdir(outDir)).filter((name) => name.endsWith(".sql"));
  const modules = [`(name = "worker.js", esModule = embed "worker.js")`].concat(
    texts.map((name) => `(name = "./${name}", text = embed "${name}")`),
  );
  const [date, flags] = [...(await readFile(CONFIGS.floor, "utf8")).matchAll(COMPATIBILITY)].map(
    ([, , value]) => value,
  );
  const worker = `modules = [${modules.join()}], compatibilityDate = ${date}, compatibilityFlags = ${flags}`;
  const file = join(outDir, "workerd.capnp");
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
  const workerd = spawn(WORKERD, ["serve", "--control-fd=3", file], {
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
