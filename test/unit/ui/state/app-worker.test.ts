/** Where the app starts its service worker: never by itself under the dev command, whose port other projects use too. */
import { afterEach, expect, it, vi } from "vitest";
import { wantsAppWorker } from "../../../../src/ui/state/app-worker.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["http:", undefined, false],
  ["http:", {}, false],
  ["http:", { serviceWorker: false }, false],
  ["http:", { serviceWorker: true }, true],
  ["https:", undefined, true],
  ["https:", {}, true],
])("over %s with the session %j: %s", (protocol, session, isWanted) => {
  vi.stubGlobal("location", { protocol });
  expect(wantsAppWorker(session)).toBe(isWanted);
});
