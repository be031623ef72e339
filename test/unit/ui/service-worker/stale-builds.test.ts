/** Which kept files a service worker drops when it takes over. */
import { expect, it } from "vitest";
import { staleBuilds } from "../../../../src/ui/service-worker/stale-builds.ts";

const NAMES = ["tally-build-a", "tally-build-b", "tally-build-c", "tally-kept"];

it("a worker that takes over drops the files of all other builds, and nothing else", () => {
  const alone = { installing: null, waiting: null };
  expect(staleBuilds(NAMES, "tally-build-b", alone)).toEqual(["tally-build-a", "tally-build-c"]);
});

it.each([
  { installing: {}, waiting: null },
  { installing: null, waiting: {} },
])("it drops nothing while the next worker has or gets its files: %j", (registration) => {
  expect(staleBuilds(NAMES, "tally-build-b", registration)).toEqual([]);
});
