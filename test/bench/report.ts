/** The table and the JSON file of a bench. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PACKAGES_DIR } from "../../src/process/project.ts";
import { formatTable } from "../support/format-table.ts";
import { thisMachine } from "../support/this-machine.ts";
import type { Budget } from "./budgets.ts";
import { median } from "./measures.ts";
import type { Subject } from "./subject.ts";

/** One figure of each round, by side; a side that was not measured has none. */
type Samples = Readonly<Record<Subject["name"], number[]>>;

/** A budget with its measurements. Units are for display; a figure without one has "". What is not ours to speed up has no bound. */
export type Result = {
  readonly budget: Pick<Budget, "name"> & { readonly unit: string; readonly bound?: Budget["bound"] };
  readonly samples: Samples;
};

const HEADINGS = ["", "unit", "floor min/median/max", "product min/median/max", "ratio", "budget", ""];

/** Text with one row a budget. `ok` and `OVER` are for the eye: a bench never fails because of a time. */
export const formatResults = (results: readonly Result[]): string => formatTable([HEADINGS, ...results.map(row)]);

const row = ({ budget, samples }: Result): string[] => {
  const ratio = median(samples.product) / median(samples.floor);
  const hasBoth = samples.product.length > 0 && samples.floor.length > 0;
  return [
    budget.name,
    budget.unit,
    spread(samples.floor),
    spread(samples.product),
    hasBoth && Number.isFinite(ratio) ? ratio.toFixed(2) : "-",
    ...(budget.bound === undefined ? ["none", ""] : judge(budget.bound, samples)),
  ];
};

/** The budget, and whether it is met, where there is enough to say. */
const judge = ({ of, is, value }: Budget["bound"], { floor, product }: Samples): [string, string] => {
  const figure = of === "floor" ? median(product) / median(floor) : median(product);
  const isMet = is === "at least" ? figure >= value : figure <= value;
  const isMeasured = product.length > 0 && (of === "absolute" || floor.length > 0);
  const words = `${is} ${of === "floor" ? `${value} × floor` : formatNumber(value)}`;
  return [words, isMeasured ? (isMet ? "ok" : "OVER") : ""];
};

const spread = (values: readonly number[]): string =>
  values.length === 0 ? "-" : [Math.min(...values), median(values), Math.max(...values)].map(formatNumber).join(" / ");

const formatNumber = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: value < 1_000 ? 2 : 0 });

/** All samples with the machine they were taken on, for comparing runs of the bench. */
export const toJson = (results: readonly Result[], at: Date): string =>
  `${JSON.stringify(
    {
      at: at.toISOString(),
      versions: { node: process.versions.node, wrangler: versionOf("wrangler"), workerd: versionOf("workerd") },
      machine: thisMachine(),
      results: results.map(({ budget, samples }) => ({
        name: budget.name,
        unit: budget.unit,
        bound: budget.bound,
        ...samples,
      })),
    },
    null,
    2,
  )}\n`;

const versionOf = (name: string): string => {
  const text = readFileSync(join(PACKAGES_DIR, name, "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
};
