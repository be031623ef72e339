/** The two objects of a bare turn start: one is called, and calls the other. They keep nothing. */
import { DurableObject } from "cloudflare:workers";
import type { FloorEnv } from "./floor-env.ts";

/** Takes the place of the run's object. */
export class FloorRun extends DurableObject<FloorEnv> {
  /** One call to the session's object. */
  async start(runId: string, sessionId: string): Promise<number> {
    return this.env.SESSIONS.getByName(sessionId).enqueue(runId);
  }
}

/** Takes the place of the session's object. */
export class FloorSession extends DurableObject {
  /** How many runs are ahead: none. */
  enqueue(_runId: string): number {
    return 0;
  }
}
