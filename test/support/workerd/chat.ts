/** A person in a chat with a scripted model: one thread, turn after turn, and what was sent for each. */
import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { inject } from "vitest";
import { z } from "zod";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { committedFacts, type ModelFacts } from "../../../src/model/model-facts.ts";
import { DEFAULT_MODEL } from "../../../src/model/named-models.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import type { Reply } from "../model-server/reply.ts";
import { scriptModel } from "../scripted-model.ts";
import { writeAll } from "../workspace/workspace-under-test.ts";
import { emptyQueue, handedOver } from "./handed-over.ts";
import type { ReceivedEvent } from "./run-client.ts";
import { somebody } from "./somebody.ts";

/** A request's body. */
export type Body = Readonly<Record<string, unknown>>;

type SentMessage = { readonly role: string; readonly content: readonly Readonly<Record<string, unknown>>[] };

const Sent = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.array(z.record(z.string(), z.unknown())) })),
});

/** The messages of a request, without its cache breakpoints. */
export const messagesOf = (body: Body | undefined): SentMessage[] =>
  Sent.parse(body).messages.map(({ role, content }) => ({
    role,
    content: content.map(({ cache_control: _, ...block }) => block),
  }));

/** Whether a request asks for a summary. */
export const asksForSummary = (body: Body): boolean => body.compaction !== undefined;

const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** A new person with these files in a chat with a model that plays these replies. Called inside a test. */
export const chat = async (replies: readonly Reply[], files: Readonly<Record<string, string>> = {}) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const person = somebody();
  const workspace = await openDurableWorkspace(env.WORKSPACES, OwnerEmail.parse(person.email));
  await writeAll(workspace, files);
  const thread = crypto.randomUUID();
  const bodies = async (): Promise<Body[]> => (await model.requests()).map(({ body }) => body);
  const sessionId = async (): Promise<string> => {
    const row = await env.DB.prepare("SELECT id FROM harness_sessions WHERE owner_email = ?")
      .bind(person.email)
      .first();
    return z.object({ id: z.string() }).parse(row).id;
  };
  const inSession = async <Result>(look: (sql: SqlStorage) => Result): Promise<Result> =>
    await runInDurableObject(env.SESSIONS.getByName(await sessionId()), (_, { storage }) => look(storage.sql));
  const start = (text: string) => person.startTurn(thread, model.prompt(text));
  return {
    model,
    person,
    workspace,
    thread,
    /** Starts a turn. */
    start,
    /** Says something and reads the turn to its end. */
    turn: async (text: string): Promise<ReceivedEvent[]> => person.events((await start(text)).events),
    /** Sends each of these in a turn of its own, the next when the session has it. */
    turns: async (...texts: readonly string[]): Promise<void> => {
      for (const text of texts) await handedOver(await person.events((await start(text)).events));
    },
    /** As `turn`, allowing whatever is asked. */
    allowed: async (text: string): Promise<ReceivedEvent[]> => person.followAllowing((await start(text)).runId),
    /** All requests so far. */
    bodies,
    /** The requests of turns. */
    calls: async (): Promise<Body[]> => (await bodies()).filter((body) => !asksForSummary(body)),
    /** The requests for a summary. */
    summaryRequests: async (): Promise<Body[]> => (await bodies()).filter(asksForSummary),
    /** `POST …/compact`. */
    compact: () => person.ask("POST", `${person.threadPath(thread)}/compact`),
    sessionId,
    /** Runs the session's alarm at once, if one is set, instead of some time later. */
    sessionWakes: async (): Promise<boolean> => runDurableObjectAlarm(env.SESSIONS.getByName(await sessionId())),
    /** Resolves when the last turn is with the session: a run ends before it hands over. */
    handedOver: async (): Promise<boolean> => await emptyQueue(await sessionId()),
    /** The summaries that the session keeps. */
    summaries: async () => await env.SESSIONS.getByName(await sessionId()).exportCompactions(),
    /** The session's tables, for what an earlier release, or a fault, would have left there. */
    inSession,
    /** Changes the figures of a waiting run's model, to what the provider's list of models could have said. */
    withFacts: async (runId: string, figures: Partial<ModelFacts>): Promise<void> => {
      const run = env.RUNS.getByName(runId);
      const facts = JSON.stringify({ ...committedFacts(DEFAULT_MODEL), ...figures });
      await runInDurableObject(run, (_, { storage }) => {
        storage.sql.exec(
          "UPDATE run SET spec = json_set(spec, '$.model', ?, '$.modelFacts', json(?))",
          DEFAULT_MODEL,
          facts,
        );
      });
      await evictDurableObject(run);
    },
    /** Which requests let the provider drop thinking that does not fit. */
    drops: async (): Promise<boolean[]> =>
      (await bodies()).map(({ thinking }) => isDefined(Object(thinking).block_binding)),
  };
};
