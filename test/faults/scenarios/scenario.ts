/** What is played in one thread while faults happen, and how one sees afterwards that nothing was lost or doubled. */
import type { Random } from "../random.ts";
import type { Play, PlayingModel, Step } from "../world/playing-model.ts";
import type { Received } from "../world/recording.ts";
import type { Site, SiteAnswer } from "../world/site.ts";

/** One person at one run. What they do is done for certain, through every restart. */
export type Person = {
  readonly site: Site;
  readonly runId: string;
  /** Answers a request; a second answer of the same kind must change nothing. */
  answer(event: Received, decision: "allow_once" | "allow_always" | "reject", message?: string): void;
  /** The same, but only once the product is back from its death. */
  answerAfterRestart(event: Received, decision: "allow_once"): void;
  abort(): void;
  /** Deletes the thread. */
  deleteThread(): void;
  /** Asks for the same under one key, until it is answered with one of these statuses. `told` is given the answer. */
  ask(wish: Wish, told: (answer: SiteAnswer) => void): void;
};

/** `path` follows the run's, or the thread's where `of` says so. */
export type Wish = {
  readonly of: "run" | "thread";
  readonly path: string;
  readonly body: unknown;
  readonly statuses: readonly number[];
};

/** One turn. `react` is told each event once, by the first client that sees it. */
export type TurnPlan = {
  readonly text: string;
  readonly steps: readonly Step[];
  readonly react?: (event: Received, person: Person) => void;
};

/** What was seen of one turn, all clients together, once its run had ended. */
export type PlayedTurn = {
  readonly runId: string;
  readonly key: string;
  readonly play: Play;
  readonly events: readonly Received[];
  /** The status each abort was answered with. */
  readonly abortAnswers: readonly string[];
};

/** What there is to look at beside the transcript. */
export type Surroundings = {
  readonly site: Site;
  readonly model: PlayingModel;
  readonly workspaceDir: string;
  readonly signal: AbortSignal;
};

/** All turns of one thread; they are posted one behind the other, at once. */
export type Plan = {
  readonly name: string;
  /** Before the turns: what they work on. */
  readonly prepare?: (around: Surroundings) => Promise<void>;
  readonly turns: readonly TurnPlan[];
  /** How each turn may end; also `aborted` where the case stops it. */
  readonly mayEnd: readonly string[];
  /** The thread may be gone at the end. */
  readonly isDeleted?: boolean;
  /** The model may say so much that the next turn is told none of it. */
  readonly mayBeForgotten?: boolean;
  /** A turn is undone: what comes behind it is told so, with the turn's words once more. */
  readonly isUndone?: boolean;
  /** The vendor's SDK may be out of reach when a turn begins, which then fails before anything was said. */
  readonly mayBeUnreachable?: boolean;
  /** The product's clock may go back and forth: times say nothing about order. */
  readonly clockJumps?: boolean;
  /** What is wrong with the effects. */
  readonly problems?: (turns: readonly PlayedTurn[], around: Surroundings) => Promise<string[]>;
};

/** Makes a plan. `id` is unique, of letters and digits. */
export type Scenario = (id: string, random: Random) => Plan;

/** Allows whatever is asked for, once. */
export const allowOnce = (event: Received, person: Person): void => {
  if (event.type === "permission_request") person.answer(event, "allow_once");
};

/** Answers only what the run really waits for: a request that a rule covers comes together with its reply. */
export const answerWaiting = (decision: "allow_once" | "allow_always"): NonNullable<TurnPlan["react"]> => {
  let request: Received | undefined;
  return (event, person) => {
    if (event.type === "permission_request") request = event;
    const isWaiting = event.type === "run_status" && event.status === "waiting_permission";
    if (isWaiting && request !== undefined) person.answer(request, decision);
  };
};

/** How each call of a tool ended, with its input, oldest first. */
export const callsOf = (events: readonly Received[], tool: string) =>
  events.flatMap((event) => {
    if (event.type !== "tool_start" || event.tool !== tool) return [];
    const end = events.find((other) => other.type === "tool_end" && other.toolCallId === event.toolCallId);
    return [{ input: event.input, status: end?.type === "tool_end" ? end.status : "open", end }];
  });
