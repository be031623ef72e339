/** Bindings of the floor's Worker. */
import type { FloorPump } from "./floor-pump.ts";
import type { FloorRun, FloorSession } from "./floor-turn.ts";

/** See wrangler.toml beside this file. */
export type FloorEnv = {
  readonly DB: D1Database;
  readonly RUNS: DurableObjectNamespace<FloorRun>;
  readonly SESSIONS: DurableObjectNamespace<FloorSession>;
  readonly PUMPS: DurableObjectNamespace<FloorPump>;
};
