/** What a load scenario is. */
import type { Incidents } from "./incidents.ts";
import type { LoadWorld } from "./load-world.ts";

/** What a scenario is given. */
export type Stage = {
  readonly world: LoadWorld;
  readonly incidents: Incidents;
  /** A number of the issue made smaller for a short run; at least 1. */
  scaled(count: number): number;
  /** Things that are not load, such as signing in, are done before this: measuring begins when it resolves. */
  begin(): Promise<void>;
};

/** One kind of load. */
export type Scenario = {
  readonly name: string;
  /** Puts the load on, files what is wrong among the incidents, and says in a few words what was done. */
  run(stage: Stage): Promise<string>;
};
