/** The table of the load suite and the JSON file beside it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTable } from "../support/format-table.ts";
import { thisMachine } from "../support/this-machine.ts";
import { inMb } from "./in-mb.ts";
import type { Measured } from "./measure-scenario.ts";
import type { Stall } from "./stall-probe.ts";

const OUTPUT_DIR = join(import.meta.dirname, "out");

const HEADINGS = ["scenario", "did", "s", "CPU s", "proxy", "RSS MB", "files", "health ms", "× idle", "again", ""];

/** Text: memory and files before, at the worst, and after; the health route's p50 / p99 / max, and against idle. */
export const formatLoad = (results: readonly Measured[], idle: Stall): string => {
  const rows = results.map(({ name, did, seconds, cpuSeconds, app, stall, reconnects, problems }) => [
    name,
    did,
    seconds.toFixed(1),
    cpuSeconds.app.toFixed(1),
    cpuSeconds.proxy.toFixed(1),
    [app.before, app.peak, app.after].map(({ rssBytes }) => inMb(rssBytes)).join(" / "),
    [app.before, app.peak, app.after].map(({ openFiles }) => openFiles).join(" / "),
    figuresOf(stall, (figure) => figure.toFixed(0)),
    figuresOf({ p50: stall.p50 / idle.p50, p99: stall.p99 / idle.p99, max: stall.max / idle.max }, (ratio) =>
      ratio.toFixed(1),
    ),
    String(reconnects),
    problems.length === 0 ? "ok" : "FAILED",
  ]);
  const told = results.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
  const idleLine = `Idle: the health route answers in ${figuresOf(idle, (figure) => figure.toFixed(0))} ms (p50 / p99 / max).`;
  return [formatTable([HEADINGS, ...rows]), idleLine, ...told].join("\n");
};

const figuresOf = ({ p50, p99, max }: Omit<Stall, "count">, write: (figure: number) => string): string =>
  [p50, p99, max].map(write).join(" / ");

/** Writes the measurements, with the machine they were taken on; returns the file's path. */
export const writeJson = (name: string, figures: unknown): string => {
  const at = new Date().toISOString();
  mkdirSync(OUTPUT_DIR, { recursive: true });
  const path = join(OUTPUT_DIR, `${name}-${at.replaceAll(":", "-")}.json`);
  writeFileSync(path, `${JSON.stringify({ at, machine: thisMachine(), figures }, null, 2)}\n`);
  return path;
};
