/** The load suite's side of its model: starts the worker it runs on, opens its gates, reads what it has recorded. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { ModelCounts } from "./model-counts.ts";

/** A model that answers at `url`, which has no slash at its end. */
export type LoadModel = {
  readonly url: string;
  /** Releases all calls that wait for the gate, and lets later ones pass. */
  open(gate: string): Promise<void>;
  counts(): Promise<ModelCounts>;
  stop(): Promise<unknown>;
};

/** Starts it on a free port of 127.0.0.1. */
export const startLoadModel = async (): Promise<LoadModel> => {
  const thread = new Worker(new URL("./model-thread.ts", import.meta.url));
  const [url] = z.tuple([z.url()]).parse(await once(thread, "message"));
  const ask = async (path: string): Promise<ModelCounts> =>
    ModelCounts.parse(await (await fetch(`${url}/${path}`)).json());
  return {
    url,
    open: async (gate) => void (await ask(`open/${gate}`)),
    counts: () => ask("counts"),
    stop: () => thread.terminate(),
  };
};
