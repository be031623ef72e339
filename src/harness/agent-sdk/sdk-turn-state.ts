/** What this harness remembers: of a turn in its state, of a thread in its facts and rows. The SDK itself keeps the conversation. */
import * as z from "zod";
import { parseJson, tryParseJson } from "../../contract/parse-json.ts";
import type { EndedTurn, SaidTurn } from "../adapter.ts";
import type { KeptTurn, StoredConversation } from "../stored-conversation.ts";
import type { HarnessState } from "../turn.ts";

/** Where the person has gone back to turns of which none has a message to go on after. */
export const NO_PLACE = "";

/** What later turns of the thread depend on. */
export const SdkFacts = z.object({
  /** The SDK's id of its session. */
  sessionId: z.uuid(),
  /** Whether the SDK has answered in the session. Earlier releases set this for every session in which a turn was begun. */
  hasSession: z.boolean(),
  /**
   * The SDK has not answered, but a turn was begun: the session's file may have the prompt, or may have only what the SDK notes before it,
   * or may not exist.
   */
  isTried: z.boolean().exactOptional(),
  /** Hash of the project instructions that were given last. */
  instructionsHash: z.string().nullable(),
  /**
   * Where the last answered turn worked. If the next turn works elsewhere, the agent is told. Earlier releases kept this only until then.
   */
  movedFrom: z.string().exactOptional(),
  /** The agent has been told what the person undid up to this time, in epoch ms. */
  undoneUpToMs: z.int().default(0),
  /**
   * Set when the person has gone back: the session goes on after this message, or begins again where it is null or `NO_PLACE`. Kept until
   * the SDK has ended a turn there, or notes that it goes on there.
   */
  goneBackTo: z.string().nullable().exactOptional(),
  /** How long the session's file was, in bytes, when a turn tried to go on there. That turn was answered, and then cut off. */
  triedAt: z.int().exactOptional(),
});
export type SdkFacts = z.infer<typeof SdkFacts>;

/** The state of a turn. */
export const SdkTurnState = z.object({
  facts: SdkFacts,
  /** Where the turn works. Earlier releases did not keep it. */
  workspaceDir: z.string().exactOptional(),
  /** What the app says before the prompt. */
  context: z.string(),
  /** Whether the prompt was sent, or may have been. */
  isBegun: z.boolean(),
  /**
   * How long the session's file was when the prompt was sent, in bytes: what was added since shows whether the SDK wrote the prompt
   * down.
   */
  begunAt: z.int().exactOptional(),
  /** The host's turn that may be running. */
  hostTurnId: z.string().exactOptional(),
  /**
   * The provider's id of the call that the session ended with. The session can go on with that call as long as the call has not started.
   */
  deferred: z.string().exactOptional(),
});
export type SdkTurnState = z.infer<typeof SdkTurnState>;

/** The agent has to be given the project instructions, and what was undone, all over again. */
const NOTHING_GIVEN = { instructionsHash: null, undoneUpToMs: 0 } as const;

/** The facts of a thread without a session. */
export const newFacts = (): SdkFacts => ({
  sessionId: crypto.randomUUID(),
  hasSession: false,
  ...NOTHING_GIVEN,
});

/** The content of a closed message. `place`: the id that the SDK gave it in its session, if it is known. */
const SdkContent = z.object({ text: z.string(), place: z.string().exactOptional() });
export type SdkContent = z.infer<typeof SdkContent>;

const PromptRow = z.object({ prompt: z.string() });

const StepRow = z.object({
  ...SdkContent.shape,
  calls: z.array(z.object({ tool: z.string(), title: z.string(), status: z.string() })),
  /** The model refused here. Earlier releases did not keep it. */
  isRefused: z.literal(true).exactOptional(),
});

/** Stands in for a turn that was not sent. The SDK itself keeps the conversation, so nobody reads this line. */
const NOT_SENT = "This turn ended before it was sent.";

/** What the session keeps of a turn: what was said and done. It is enough to tell another harness, or a new session of the SDK. */
export const keepTurn = ({ runId, model, checkpoint, state: kept }: EndedTurn): KeptTurn => {
  const state = SdkTurnState.safeParse(kept).data;
  const prompt: z.infer<typeof PromptRow> = { prompt: checkpoint.prompt };
  const steps = checkpoint.steps.map(
    ({ content, stopReason, calls }): z.infer<typeof StepRow> => ({
      ...(SdkContent.safeParse(content).data ?? { text: "" }),
      calls: calls.map(({ tool, title, state: call }) => ({
        tool,
        title,
        status: call.type === "ended" ? call.result.status : "aborted",
      })),
      ...(stopReason === "refusal" && { isRefused: true }),
    }),
  );
  return {
    turn: {
      runId,
      model,
      rows: [
        { message: 0, role: "user", body: JSON.stringify(prompt) },
        ...steps.map((step, index) => ({ message: index + 1, role: "assistant", body: JSON.stringify(step) })),
      ],
    },
    // What the app would have said with this turn was not said (decision 0218).
    omitted: state?.isBegun === false ? NOT_SENT : undefined,
    facts: state && JSON.stringify(factsAfter(state, steps.length > 0)),
  };
};

/**
 * The facts after a turn. A turn that was never sent, got no answer, or did not end where the person went back to, has given the agent
 * nothing that a later turn can build on.
 */
const factsAfter = ({ facts, isBegun, begunAt, workspaceDir }: SdkTurnState, hasAnswer: boolean): SdkFacts => {
  if (!isBegun) return { ...facts, ...NOTHING_GIVEN };
  if (!hasAnswer) return { ...facts, ...NOTHING_GIVEN, ...(facts.hasSession ? {} : { isTried: true }) };
  const { isTried: _, movedFrom: __, ...rest } = facts;
  const worked = workspaceDir === undefined ? {} : { movedFrom: workspaceDir };
  const cutOff = { ...NOTHING_GIVEN, ...(begunAt === undefined ? {} : { triedAt: begunAt }) };
  return { ...rest, ...worked, ...(facts.goneBackTo === undefined ? {} : cutOff), hasSession: true };
};

/**
 * The facts from which the next turn goes on. If the person has gone back, the turn goes on after the newest message that is left, and the
 * agent is given again what it may have been given in a turn that is left out.
 */
export const resumedFacts = (stored: StoredConversation): SdkFacts | undefined => {
  const facts = factsOf(stored);
  if (facts === undefined || !stored.isRewound) return facts;
  const places = stored.rows.flatMap(({ role, body }) =>
    role === "assistant" ? [stepOf(body).place ?? []].flat() : [],
  );
  const isAnythingLeft = stored.rows.some(({ runId }) => stored.omitted[runId] === undefined);
  return { ...settledFacts(facts), ...NOTHING_GIVEN, goneBackTo: places.at(-1) ?? (isAnythingLeft ? NO_PLACE : null) };
};

const stepOf = (body: string): z.infer<typeof StepRow> => StepRow.parse(parseJson(body));

/** The facts once the SDK has itself ended a turn where the person went back to: from then on it goes on there. */
export const settledFacts = ({ goneBackTo: _, triedAt: __, ...facts }: SdkFacts): SdkFacts => facts;

/** The state of a turn once its facts are settled. */
export const settledState = (state: SdkTurnState): SdkTurnState => ({ ...state, facts: settledFacts(state.facts) });

/** The facts of a branch of a thread. A new session id gives it a file of its own, which is restored from the branch's copy. */
export const branchFacts = (json: string): string => {
  const facts = SdkFacts.parse(parseJson(json));
  return JSON.stringify({ ...facts, sessionId: crypto.randomUUID() } satisfies SdkFacts);
};

/** The facts of a thread, or undefined when there are none that can be read. */
const factsOf = ({ facts }: StoredConversation): SdkFacts | undefined =>
  SdkFacts.safeParse(facts === null ? undefined : tryParseJson(facts)).data;

/** The session of a thread that is being deleted. */
export const hostSession = (kept: { readonly facts: string } | { readonly state: HarnessState }): string | undefined =>
  "facts" in kept
    ? SdkFacts.safeParse(tryParseJson(kept.facts)).data?.sessionId
    : SdkTurnState.safeParse(kept.state).data?.facts.sessionId;

/** What was said, oldest first. @throws {Error} when a row cannot be read. */
export const saidTurns = ({ rows }: StoredConversation): SaidTurn[] =>
  [...Map.groupBy(rows, ({ runId }) => runId)].map(([runId, turn]) => {
    const steps = turn.filter(({ role }) => role === "assistant").map(({ body }) => stepOf(body));
    const [prompt] = turn.filter(({ role }) => role === "user").map(({ body }) => PromptRow.parse(parseJson(body)));
    const { text: answer = "", isRefused } = steps.at(-1) ?? {};
    return { runId, prompt: prompt?.prompt ?? "", answer, ...(isRefused && { isRefused }) };
  });
