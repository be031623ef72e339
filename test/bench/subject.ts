/** What is measured: the floor and the product do the same things for the same client. */

/** A run that can be started; preparing it is not timed. */
type PreparedRun = {
  /** The POST. Addresses of the live stream and of its replay once the run has ended. */
  start(): Promise<{ liveUrl: string; replayUrl: string }>;
  /** Lets the deltas flow, once all subscribers are there. */
  release(): Promise<void>;
};

/** A turn whose POST alone is timed. */
type PreparedTurn = {
  start(): Promise<void>;
  /** Waits until the turn has ended, so that it does not disturb the next one. */
  settle(): Promise<void>;
};

/** One side of the comparison. */
export type Subject = {
  readonly name: "floor" | "product";
  /** A run of `deltas` deltas that waits for `release` before the first one. */
  prepareRun(run: { deltas: number; subscribers: number }): Promise<PreparedRun>;
  /** A turn on a thread of its own. */
  prepareTurn(): Promise<PreparedTurn>;
  /** Time in ms in which its model answers a request that does not come through it; 0 where there is no model. */
  modelFirstByteMs(): Promise<number>;
  /** One answer of the list of stocks, as text. */
  readList(): Promise<string>;
  /** CPU time of all its processes since their start, in ms. */
  cpuMs(): number;
  /** Ends all that it started. */
  stop(): Promise<void>;
};
