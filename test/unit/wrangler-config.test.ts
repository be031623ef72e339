/** Lines of wrangler.toml that the app's behaviour hangs on and that nothing else would miss. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const PROJECT_DIR = join(import.meta.dirname, "../..");

const config = readFileSync(join(PROJECT_DIR, "wrangler.toml"), "utf8");

const settingOf = (key: string): string | undefined => new RegExp(`^${key} = (.+)$`, "m").exec(config)?.[1];

it("reports the compatibility date it runs with", () => {
  expect(settingOf("COMPATIBILITY_DATE")).toBe(settingOf("compatibility_date"));
});

it("runs with a date from which pending waitUntil work keeps a run's object in memory", () => {
  expect(settingOf("compatibility_date")).toBe('"2026-10-06"');
});

it("has Node's modules, and a request's signal in the object it is passed to", () => {
  expect(settingOf("compatibility_flags")).toBe(
    '["nodejs_compat", "enable_request_signal", "request_signal_passthrough"]',
  );
});

it("counts 30 turns and 600 actions a minute, and says the same minute in Retry-After", () => {
  const limits = [...config.matchAll(/name = "(\w+_RATE)"\n.*\nsimple = (.*)/g)].map(([, name, simple]) => [
    name,
    simple,
  ]);
  expect(limits).toEqual([
    ["TURN_RATE", "{ limit = 30, period = 60 }"],
    ["ACTION_RATE", "{ limit = 600, period = 60 }"],
  ]);
});

it("counts apart from other Workers of the account, whose numbers may be from Cloudflare's examples", () => {
  const ids = [...config.matchAll(/^namespace_id = "(\d+)"$/gm)].map(([, id]) => Number(id));
  expect([ids.length, new Set(ids).size, ids.filter((id) => id < 10_000)]).toEqual([5, 5, []]);
});

it("keeps the logs of a deployed Worker", () => {
  expect(config).toMatch(/^\[observability\]\nenabled = true$/m);
});

it("leaves out Cloudflare's line for each request, which holds the address", () => {
  expect(config).toMatch(/^\[observability\.logs\]\ninvocation_logs = false$/m);
});

it("gives a run's loop the most CPU time there is", () => {
  expect(settingOf("cpu_ms")).toBe("300_000");
});

it("lets an invocation make all the calls that the export of a large account takes", () => {
  expect(settingOf("subrequests")).toBe("1_000_000");
});

it("is what the fault suite's stage is made of: the same date, flags, and objects", () => {
  const stage = readFileSync(join(PROJECT_DIR, "test/faults/stage/wrangler.toml"), "utf8");
  const partsOf = (text: string) => [
    ...(text.match(/^compatibility_.*$/gm) ?? []),
    ...(text.match(/^\[\[durable_objects\.bindings\]\]\nname = .*\nclass_name = .*$/gm) ?? []),
  ];
  expect(partsOf(stage)).toEqual(partsOf(config));
});

it("names the local database, so that a deploy's id does not lead the dev command to a new one", () => {
  expect(settingOf("preview_database_id")).toBe('"00000000-0000-0000-0000-000000000000"');
});

it("has errors that name themselves, since no function of a deployed Worker keeps its name", () => {
  expect(settingOf("keep_names")).toBe("false");
  const sources = globSync("src/**/*.ts", { cwd: PROJECT_DIR }).map((path) =>
    readFileSync(join(PROJECT_DIR, path), "utf8"),
  );
  const ofErrors = sources.flatMap((source) =>
    [...source.matchAll(/class (\w+) extends \w*Error\b/g)].map(([, name]) => name),
  );
  const named = sources.flatMap((source) => [...source.matchAll(/this\.name = "(\w+)"/g)].map(([, name]) => name));
  expect(ofErrors.length).toBeGreaterThan(4);
  expect(named.sort()).toEqual(ofErrors.sort());
});
