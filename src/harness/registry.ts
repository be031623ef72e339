/** The harnesses. A run's spec names its own, and nothing outside of `harness/` chooses an adapter. */
import type { HarnessAdapter } from "./adapter.ts";
import { agentSdkHarness } from "./agent-sdk/agent-sdk-harness.ts";
import { anthropicHarness } from "./anthropic/anthropic-harness.ts";

const ADAPTERS: ReadonlyMap<string, HarnessAdapter> = new Map(
  [anthropicHarness, agentSdkHarness].map((adapter) => [adapter.name, adapter]),
);

/** The adapter of that name, or undefined for one that this release does not know. */
export const findHarness = (name: string): HarnessAdapter | undefined => ADAPTERS.get(name);

/** Ids of sessions that harnesses keep on people's own machines, found in the facts of sessions of any harness. */
export const hostSessionsIn = (facts: readonly string[]): string[] =>
  facts.flatMap((one) => [...ADAPTERS.values()].flatMap((adapter) => adapter.hostSession?.({ facts: one }) ?? []));

/** The adapter of a run or a session. @throws {Error} for a name that this release does not know. */
export const harnessOf = (name: string): HarnessAdapter => {
  const adapter = findHarness(name);
  if (adapter === undefined) throw new Error(`There is no harness named "${name}".`);
  return adapter;
};
