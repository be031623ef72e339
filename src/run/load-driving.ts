/** Loads what a run needs only while it drives. */
import { lateModule } from "../contract/loading/late-module.ts";
import type { HarnessAdapter } from "../harness/adapter.ts";
import { loadHarness } from "../harness/registry.ts";

export const loadDriving = lateModule(() => import("./driving-code.ts"));

/** The code that `loadDriving` loads, and the run's harness. */
export type Late = Awaited<ReturnType<typeof loadDriving>> & { readonly harness: HarnessAdapter };

/** Loads both for a run of that harness. @throws {Error} for a harness that this release does not know. */
export const loadLate = async (harness: string): Promise<Late> => {
  const [late, adapter] = await Promise.all([loadDriving(), loadHarness(harness)]);
  return { ...late, harness: adapter };
};
