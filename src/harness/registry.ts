/**
 * The harnesses. A run's spec names its own, and nothing outside of `harness/` chooses an adapter. An adapter's code loads when it is
 * first needed: an isolate that drives no run never evaluates it.
 */
import { lateModule } from "../contract/loading/late-module.ts";
import type { HarnessAdapter } from "./adapter.ts";
import { AGENT_SDK_TRAITS, ANTHROPIC_TRAITS, type HarnessTraits } from "./traits.ts";

type Harness = { readonly traits: HarnessTraits; readonly load: () => Promise<HarnessAdapter> };

const loadAnthropic = lateModule(() => import("./anthropic/anthropic-harness.ts"));
const loadAgentSdk = lateModule(() => import("./agent-sdk/agent-sdk-harness.ts"));

const HARNESSES: readonly Harness[] = [
  { traits: ANTHROPIC_TRAITS, load: async () => (await loadAnthropic()).anthropicHarness },
  { traits: AGENT_SDK_TRAITS, load: async () => (await loadAgentSdk()).agentSdkHarness },
];

const harnessNamed = (name: string): Harness | undefined => HARNESSES.find(({ traits }) => traits.name === name);

/** What is known of the harness of that name, or undefined for one that this release does not know. */
export const findHarness = (name: string): HarnessTraits | undefined => harnessNamed(name)?.traits;

/** The adapter of a run or a session. @throws {Error} for a name that this release does not know. */
export const loadHarness = async (name: string): Promise<HarnessAdapter> => {
  const harness = harnessNamed(name);
  if (harness === undefined) throw new Error(`There is no harness named "${name}".`);
  return await harness.load();
};

/** Ids of sessions that harnesses keep on people's own machines, found in the facts of sessions of any harness. */
export const hostSessionsIn = async (facts: readonly string[]): Promise<string[]> => {
  if (facts.length === 0) return [];
  const keepers = HARNESSES.filter(({ traits }) => traits.keepsHostSessions);
  const adapters = await Promise.all(keepers.map(({ load }) => load()));
  return facts.flatMap((one) => adapters.flatMap((adapter) => adapter.hostSession?.({ facts: one }) ?? []));
};
