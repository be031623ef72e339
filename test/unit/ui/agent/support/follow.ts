/** Follows a run on a scripted server and keeps what it is told. */
import { onTestFinished } from "vitest";
import type { NumberedEvent } from "../../../../../src/contract/transcript.ts";
import { followRun, type RunStream } from "../../../../../src/ui/agent/stream/run-stream.ts";
import type { StreamConnection } from "../../../../../src/ui/agent/stream/stream-environment.ts";
import { HeldWorld } from "./held-world.ts";
import { type Reply, type StreamServer, startStreamServer } from "./stream-server.ts";

/** Silence after which the followed stream counts as dead. */
export const STALL_MS = 25_000;

const PATH = "/run/events";

/** A follower with its server and world. */
export type Followed = {
  readonly server: StreamServer;
  readonly world: HeldWorld;
  readonly stream: RunStream;
  /** Seqs in the order they were handed over. */
  readonly seqs: readonly number[];
  /** How many events each hand-over had. */
  readonly batches: readonly number[];
  /** States in the order they were told; a closed one as `closed: reason`. */
  readonly states: readonly string[];
  /** Resolves at once, or with the next change after which `check` holds. */
  until(check: () => boolean): Promise<void>;
};

/** Begins to follow; stops with the test. */
export const follow = async (replies: readonly Reply[], afterSeq = 0): Promise<Followed> => {
  const server = await startStreamServer({ [PATH]: replies });
  const world = new HeldWorld(server.url);
  const seqs: number[] = [];
  const batches: number[] = [];
  const states: string[] = [];
  const changes = new EventTarget();
  const tell = () => changes.dispatchEvent(new Event("change"));
  const stream = followRun({
    eventsPath: PATH,
    afterSeq,
    environment: world,
    stallMs: STALL_MS,
    onEvents: (events: readonly NumberedEvent[]) => {
      seqs.push(...events.map(({ seq }) => seq));
      batches.push(events.length);
      tell();
    },
    onConnection: (connection) => {
      states.push(nameOf(connection));
      tell();
    },
  });
  onTestFinished(() => stream.stop());
  const until = async (check: () => boolean) => {
    while (!check()) await new Promise((resolve) => changes.addEventListener("change", resolve, { once: true }));
  };
  return { server, world, stream, seqs, batches, states, until };
};

const nameOf = (connection: StreamConnection): string =>
  connection.state === "closed" ? `closed: ${connection.reason}` : connection.state;
