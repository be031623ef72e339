/** Threads over a real server that plays what a test scripts. */
import { onTestFinished } from "vitest";
import { ThreadTranscript } from "../../../../../src/ui/agent/stream/thread-transcript.ts";
import { frames, messageEnd, messageStart, numbered, runEnd, runQueued, runStart, userMessage } from "./events.ts";
import { HeldWorld } from "./held-world.ts";
import { json, type Reply, startStreamServer, stream, streamToEnd } from "./stream-server.ts";

export const RUNS = "/_framework/threads/a%2Fb/runs?order=newest";

export const eventsOf = (runId: string): string => `/_framework/runs/${runId}/events`;

export const finished = (text: string): Reply =>
  streamToEnd(
    frames(numbered([runStart(), userMessage(text), messageStart("m1"), messageEnd("m1", `re: ${text}`), runEnd()])),
  );

export const live: Reply = stream(frames(numbered([runStart(), userMessage("go on")])));

export const queued: Reply = stream(frames(numbered([runQueued(1), userMessage("later")])));

export const listed = (runId: string, runStatus = "completed") => ({
  runId,
  status: runStatus,
  createdAt: "2026-01-01T00:00:00.000Z",
  events: eventsOf(runId),
});

/** A page of the list with these runs, oldest first. */
export const page = (runs: readonly object[], nextCursor: string | null = null): Reply =>
  json({ runs: runs.toReversed(), nextCursor });

/** A thread that is open, and what it takes to wait for it. */
export const openThread = async (replies: Readonly<Record<string, readonly Reply[]>>) => {
  const server = await startStreamServer(replies);
  const world = new HeldWorld(server.url);
  const liveKinds: string[] = [];
  const missedUntilMs: number[] = [];
  const onLiveEvents = (runId: string, events: readonly { type: string }[], missedMs: number) => {
    missedUntilMs.push(missedMs);
    liveKinds.push(...events.map(({ type }) => `${runId} ${type}`));
  };
  const thread = new ThreadTranscript("a/b", { environment: world, onLiveEvents });
  onTestFinished(() => thread.close());
  thread.open();
  const until = async (check: () => boolean) => {
    while (!check()) {
      await new Promise<void>((resolve) => {
        const leave = thread.subscribe(() => {
          leave();
          resolve();
        });
      });
    }
  };
  const states = () => thread.getSnapshot().runs.map(({ runId, connection }) => `${runId} ${connection?.state}`);
  const texts = () =>
    thread
      .getSnapshot()
      .runs.map(({ transcript: { items } }) => items.map((item) => ("text" in item ? item.text : "")));
  return { thread, world, until, states, texts, liveKinds, missedUntilMs };
};
