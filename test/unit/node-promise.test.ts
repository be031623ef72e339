/** That `npm ci` runs on the Node that package.json promises, and which of its packages npm warns of there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const PROJECT_DIR = join(import.meta.dirname, "../..");

const readText = (name: string): string => readFileSync(join(PROJECT_DIR, name), "utf8");

type Locked = { readonly engines?: { readonly node?: string }; readonly hasInstallScript?: boolean };

const { engines }: { engines: { node: string } } = JSON.parse(readText("package.json"));

const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(readText("package-lock.json"));

const numbersOf = (version: string): readonly number[] => version.split(".").map(Number);

/** Above 0 when `one` is newer. What a version leaves out counts as 0. */
const compare = (one: readonly number[], other: readonly number[]): number => {
  const at = [0, 1, 2].find((place) => (one[place] ?? 0) !== (other[place] ?? 0)) ?? 0;
  return (one[at] ?? 0) - (other[at] ?? 0);
};

const COMPARATOR = /^(>=|\^|)(\d+(?:\.\d+){0,2})$/;

/** One of the alternatives of a range; of npm's spellings those that the lockfile has. */
const fits = (comparator: string, node: readonly number[]): boolean => {
  if (comparator === "*") return true;
  const [, sign, version] = COMPARATOR.exec(comparator) ?? [];
  if (version === undefined) throw new Error(`"${comparator}" is a spelling that this test cannot read.`);
  const least = numbersOf(version);
  return (sign === ">=" || least[0] === node[0]) && compare(node, least) >= 0;
};

const isFor = (range: string, node: readonly number[]): boolean =>
  range.split("||").some((part) => fits(part.trim().replace(/^>= /, ">="), node));

/** Packages that npm warns of on the oldest Node that is promised. */
const warned = Object.entries(packages).filter(
  ([, { engines: own }]) => own?.node !== undefined && !isFor(own.node, numbersOf(engines.node.replace(">=", ""))),
);

it("says the same in package.json and README", () => {
  expect(engines.node).toBe(">=20.19");
  expect(readText("README.md")).toContain("Node 20.19 or newer");
});

it("npm ci warns only of what runs on the Node that it installs", () => {
  expect(warned.map(([path]) => path.replace("node_modules/", ""))).toEqual([
    "@block65/webcrypto-web-push",
    "@cloudflare/kv-asset-handler",
    "miniflare",
    "wrangler",
  ]);
  expect(warned.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});
