/** The worker for lists and searches, so that a slow pattern or a large tree holds up no other call. One job at a time. */
import { parentPort } from "node:worker_threads";
import { type Answer, answer } from "../../workspace/answer.ts";
import type { FileList, ListQuery, SearchQuery, SearchResult } from "../../workspace/workspace.ts";
import type { RipgrepQuery } from "../search/ripgrep.ts";
import type { WorkspaceRoot } from "../workspace-root.ts";
import { listFiles, searchFiles } from "./tree-calls.ts";

/** A job for the worker. */
export type TreeJob = { readonly root: WorkspaceRoot; readonly hasRipgrep: boolean } & (
  | { readonly kind: "list"; readonly query: ListQuery }
  | { readonly kind: "search"; readonly query: SearchQuery }
);

/** Messages to the worker: a job with the flag that stops it (its first number is then not 0), or ripgrep's output. */
export type ToWorker =
  | { readonly type: "job"; readonly job: TreeJob; readonly stop: Int32Array }
  | { readonly type: "counts"; readonly counts: Uint8Array | undefined };

/** Messages from the worker: a job's result, or a query for ripgrep, whose processes belong to the server. */
export type FromWorker =
  | { readonly type: "list"; readonly answer: Answer<FileList> }
  | { readonly type: "search"; readonly answer: Answer<SearchResult> }
  | { readonly type: "find"; readonly query: RipgrepQuery };

const say = (message: FromWorker): void => parentPort?.postMessage(message);

let counts: PromiseWithResolvers<Uint8Array | undefined> | undefined;

const ask = (query: RipgrepQuery): Promise<Uint8Array | undefined> => {
  counts = Promise.withResolvers();
  say({ type: "find", query });
  return counts.promise;
};

const run = async (job: TreeJob, stop: Int32Array): Promise<void> => {
  const world = { isStopped: () => Atomics.load(stop, 0) !== 0, ask: job.hasRipgrep ? ask : undefined };
  if (job.kind === "list") say({ type: "list", answer: await answer(() => listFiles(job.root, job.query, world)) });
  else say({ type: "search", answer: await answer(() => searchFiles(job.root, job.query, world)) });
};

parentPort?.on("message", (message: ToWorker) => {
  if (message.type === "counts") counts?.resolve(message.counts);
  // Anything but a refusal is a bug: it ends the worker, and the server reports it.
  else void run(message.job, message.stop);
});
