/** Lines of wrangler.toml that the app's behaviour hangs on and that nothing else would miss. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const config = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8");

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

it("keeps the logs of a deployed Worker", () => {
  expect(config).toMatch(/^\[observability\]\nenabled = true$/m);
});

it("leaves out Cloudflare's line for each request, which holds the address", () => {
  expect(config).toMatch(/^\[observability\.logs\]\ninvocation_logs = false$/m);
});

it("gives a run's loop the most CPU time there is", () => {
  expect(settingOf("cpu_ms")).toBe("300_000");
});
