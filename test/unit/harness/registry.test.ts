/** What is known of a harness before its adapter is loaded, and the loading. */
import { describe, expect, it } from "vitest";
import { HarnessName } from "../../../src/contract/ids.ts";
import { newFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { findHarness, hostSessionsIn, loadHarness } from "../../../src/harness/registry.ts";

describe.each(HarnessName.options)("the harness %s", (name) => {
  it("is what its adapter says", async () => {
    const adapter = await loadHarness(name);
    expect(adapter).toMatchObject({ ...findHarness(name) });
    expect(adapter.name).toBe(name);
    expect(adapter.hostSession !== undefined).toBe(adapter.keepsHostSessions);
  });

  it("is loaded once", async () => {
    const [one, other] = await Promise.all([loadHarness(name), loadHarness(name)]);
    expect(one).toBe(other);
  });
});

it("has no harness of another name", async () => {
  expect(findHarness("other")).toBeUndefined();
  await expect(loadHarness("other")).rejects.toThrow('There is no harness named "other".');
});

it("finds the sessions that harnesses keep elsewhere, and none in facts that are not theirs", async () => {
  const [one, other] = [newFacts(), newFacts()];
  const facts = ["{}", JSON.stringify(one), "no JSON", JSON.stringify(other)];
  expect(await hostSessionsIn(facts)).toEqual([one.sessionId, other.sessionId]);
  expect(await hostSessionsIn([])).toEqual([]);
});
