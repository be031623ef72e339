/** A thread of the developer whose turns the agent SDK runs, on the host that replays recordings. */
import { env, runInDurableObject } from "cloudflare:test";
import { inject } from "vitest";
import { z } from "zod";
import type { TranscriptEvent } from "../../../src/contract/transcript.ts";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SdkFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { postToHost } from "../../../src/workspace/host/host-post.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import "../agent-sdk/start-harness-host.ts";
import { askAsDeveloper, askWith } from "./ask-as-developer.ts";
import { handedOver } from "./handed-over.ts";
import { ofType } from "./of-type.ts";
import { eventsUntil, follow, type ReceivedEvent } from "./run-client.ts";
import { planVariables } from "./run-variables.ts";
import worker from "./test-worker.ts";

const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
  await worker.request(`http://localhost${path}`, init, { ...env, AUTH_DISABLED: "true" });

/** Starts turns of a new thread, or of one that is there. `host`: another one than the shared one. */
export const sdkThread = (
  host: { readonly url: string; readonly token: string } = inject("harnessHost"),
  threadId: string = crypto.randomUUID(),
) => {
  const address = { WORKSPACE_URL: host.url, WORKSPACE_TOKEN: host.token };
  let world: Parameters<typeof planVariables>[1] = {};
  const workIn = (next: typeof world): void => {
    world = next;
    planVariables(threadId, world);
  };
  workIn(address);
  const start = async (prompt: string, harness = "agent-sdk", how: { readonly mode?: "plan" } = {}, key?: string) => {
    const variables = { AGENT_HARNESS: harness, ...world };
    const headers = key === undefined ? {} : { "Idempotency-Key": key };
    const { body } = await askWith(variables, "POST", "/api/agent/turn", { threadId, prompt, ...how }, headers);
    const { runId, events } = TurnStartResponse.parse(body);
    const until = (type: TranscriptEvent["type"], after = 0): Promise<ReceivedEvent[]> =>
      eventsUntil(request, `${events}?after=${after}`, type);
    return {
      runId,
      /** All events, to the end. */
      events: () => follow(request, events),
      /** All events, once the session has the turn: the end of a run is told before that. */
      handedOver: async (): Promise<ReceivedEvent[]> => {
        const all = await follow(request, events);
        await handedOver(all);
        return all;
      },
      eventsUntil: until,
      /** Answers the request that comes next, and returns it. */
      decideNext: async (after: number, decision: string, message?: string): Promise<ReceivedEvent> => {
        const asked = (await until("permission_request", after)).find(({ type }) => type === "permission_request");
        if (asked?.type !== "permission_request") throw new Error("Nothing was asked.");
        const path = `/_framework/runs/${runId}/permissions/${asked.requestId}`;
        await askAsDeveloper("POST", path, { decision, ...(message === undefined ? {} : { message }) });
        return asked;
      },
      abort: () => askAsDeveloper("POST", `/_framework/runs/${runId}/abort`, {}),
    };
  };
  return {
    threadId,
    start,
    follow: (events: string) => follow(request, events),
    /** What a restart under another AGENT_WORKSPACE_DIR does. The host serves the same files, under this name. */
    moveTo: (dir: string): void => workIn({ ...address, AGENT_WORKSPACE_DIR: dir }),
    /** What a restart without a host does: the directory is one in durable storage. */
    moveToStorage: (dir: string): void => workIn({ AGENT_WORKSPACE_DIR: dir }),
  };
};

/** The shared host, as the Worker reaches it. */
export const host = (): AgentHost => {
  const address = inject("harnessHost");
  return new AgentHost(postToHost(address), new HostWorkspace(address));
};

/** The session that a run worked in, in all of its attempts. */
export const sessionOf = (events: readonly ReceivedEvent[]) => {
  const [start] = ofType(events, "run_start");
  if (start === undefined) throw new Error("It never started.");
  return env.SESSIONS.getByName(start.sessionId);
};

/** The id of the SDK's own session. */
export const sdkSessionOf = async (events: readonly ReceivedEvent[]): Promise<string> => {
  const stored = await runInDurableObject(sessionOf(events), (_, { storage }) =>
    storage.sql.exec<{ body: string }>("SELECT body FROM facts ORDER BY epoch DESC LIMIT 1").one(),
  );
  return SdkFacts.parse(JSON.parse(stored.body)).sessionId;
};

const linesOf = async (events: readonly ReceivedEvent[]): Promise<string[]> => {
  const { bytes } = await host().readSession(await sdkSessionOf(events), 0);
  return new TextDecoder().decode(bytes).trimEnd().split("\n");
};

/** What the scripted SDK has written: the turns, and where it went back. */
export const fileOf = async (events: readonly ReceivedEvent[]): Promise<string[]> =>
  (await linesOf(events)).filter((line) => !line.startsWith("{"));

const Said = z.object({
  type: z.literal("user"),
  message: z.object({ content: z.string() }),
  budgetUsd: z.number().optional(),
});

/** What it was told, and what it might spend, oldest first. */
export const saidIn = async (events: readonly ReceivedEvent[]) =>
  (await linesOf(events)).flatMap((line) => {
    const said = line.startsWith("{") ? Said.safeParse(JSON.parse(line)).data : undefined;
    return said === undefined ? [] : [{ prompt: said.message.content, budgetUsd: said.budgetUsd }];
  });

/** What it was told, oldest first. */
export const promptsIn = async (events: readonly ReceivedEvent[]): Promise<string[]> =>
  (await saidIn(events)).map(({ prompt }) => prompt);

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });

/** The developer's runs in a thread, oldest first. */
export const runsIn = async (threadId: string) =>
  Runs.parse((await askAsDeveloper("GET", `/_framework/threads/${threadId}/runs`)).body).runs;

/** Goes back to before the nth run of a thread, from 1, or branches it there. */
export const lead = async (threadId: string, how: "rewind" | "fork", nth: number, key?: string) => {
  const beforeRunId = (await runsIn(threadId))[nth - 1]?.runId;
  const more = key === undefined ? {} : { "Idempotency-Key": key };
  return await askWith({}, "POST", `/_framework/threads/${threadId}/${how}`, { beforeRunId }, more);
};
