/** What leaves the machine is one table in the README: each place that calls out is known here, with what switches it off. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Files of the Worker that call out, and the tests that hold them to `OFFLINE=true`; the model is not switched off by it, and its client calls for itself. */
const CALLS_OUT: Readonly<Record<string, string | null>> = {
  "quotes/fetch-json.ts": "test/worker/prices/keys.test.ts",
  "notice/push.ts": "test/worker/notices/send-due.test.ts",
  "auth/send-mail.ts": "test/worker/notices/send-due.test.ts",
  // The model's provider, and the person's own machine.
  "model/anthropic/fetch-models.ts": null,
  "workspace/host/host-post.ts": null,
};

/** A call of the global `fetch`, of the mail's binding. */
const CALL = /(?<![\w.#])fetch\(|\bMAIL\b[\w.?!]*\.send\(/;

/** Not the Worker's: the app in a browser, and programs on the person's own machine. */
const ELSEWHERE = ["ui/", "cli/", "harness-host/", "workspace-server/", "process/"];

it("every place that calls out is listed, and each test that is named tries it with OFFLINE", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const calling = files.filter(
    (path) =>
      path.endsWith(".ts") &&
      !ELSEWHERE.some((room) => path.startsWith(room)) &&
      readFileSync(join(ROOT, "src", path), "utf8")
        .split("\n")
        .some((line) => CALL.test(line) && !/^\s*(\/?\*|\/\/)|async fetch\(|^ {2}fetch\(/.test(line)),
  );
  expect(calling.sort()).toEqual(Object.keys(CALLS_OUT).sort());
  for (const test of Object.values(CALLS_OUT)) {
    if (test !== null) expect(readFileSync(join(ROOT, test), "utf8")).toContain('OFFLINE: "true"');
  }
});
