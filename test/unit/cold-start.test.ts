/**
 * What the Worker evaluates before its first answer, read off the sources: whatever its entry imports, and what that imports. A dynamic
 * import ends a path: that module is evaluated when it is first needed (decision 0195).
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../../src");

/** Folders, files and packages that only some isolates need. */
const LATE = [
  "actions/registry.ts",
  "harness/agent-sdk/",
  "harness/anthropic/",
  "harness/tools/",
  "model/anthropic/",
  "model/choose-model.ts",
  "model/demo/",
  "model/messages.ts",
  "model/model-event.ts",
  "quotes/sources/",
  "run/drive/ask-for-title.ts",
  "run/drive/load-conversation.ts",
  "run/drive/open-attempt.ts",
  "run/drive/open-workspace.ts",
  "run/drive/turn-world.ts",
  "auth/create-auth.ts",
  "undo/run-undo.ts",
  "undo/stocks/undo-stocks.ts",
  "workspace/durable/durable-search.ts",
  "workspace/host/host-workspace.ts",
  ...["@anthropic-ai/sdk", "better-auth", "diff", "eventsource-parser", "just-bash", "re2js"],
];

const IMPORT = /^(?:import|export)(?<clause>\s[^;"']*?from\s*|\s*)"(?<specifier>[^"]+)"/gm;

const LATE_IMPORT = /\bimport\("(?<specifier>[^"]+)"\)/g;

/** Whether nothing of it is left when the types are stripped. */
const isTypeClause = (clause: string): boolean => {
  const names =
    /\{([^}]*)\}/
      .exec(clause)?.[1]
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  const given = names.filter((name) => name !== "");
  return /^\s+type\b/.test(clause) || (given.length > 0 && given.every((name) => name.startsWith("type ")));
};

/** Paths below src, and packages, with the way to each from the entry. */
const evaluated = (entry: string, withLate = false): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  const visit = (path: string, way: readonly string[]): void => {
    if (found.has(path)) return;
    found.set(path, [...way, path]);
    if (!path.endsWith(".ts") || !existsSync(join(SRC, path))) return;
    const text = readFileSync(join(SRC, path), "utf8");
    const late = withLate ? [...text.matchAll(LATE_IMPORT)] : [];
    for (const { groups } of [...text.matchAll(IMPORT), ...late]) {
      const { clause = "", specifier = "" } = groups ?? {};
      if (isTypeClause(clause)) continue;
      visit(specifier.startsWith(".") ? join(path, "..", specifier) : specifier, [...way, path]);
    }
  };
  visit(entry, []);
  return found;
};

const atStart = evaluated("worker.ts");

const isLate = (path: string): boolean =>
  LATE.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one || path.startsWith(`${one}/`)));

/** The same with what is imported dynamically. */
const everything = new Set(evaluated("worker.ts", true).keys());

it("evaluates nothing before its first answer that only some isolates need", () => {
  const early = [...atStart].filter(([path]) => isLate(path));
  expect(early.map(([, way]) => way.join(" < "))).toEqual([]);
});

it("reads the imports that it is about", () => {
  expect(atStart.size).toBeGreaterThan(200);
  for (const path of ["run/run-object.ts", "run/drive/driver.ts", "http/app.ts", "hono", "zod"]) {
    expect(atStart.has(path), path).toBe(true);
  }
});

it.each(LATE)("knows %s, which is there", (one) => {
  expect([...everything].some((path) => path === one || path.startsWith(one))).toBe(true);
});
