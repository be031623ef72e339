/** What happens in each turn of a long thread, made from a seed: what the model answers, what the person does, what goes wrong. */
import type { TerminalStatus } from "../../../src/contract/run.ts";
import { message, opaque, pauseTurn, say, summary, think, thinkRedacted, thought, toolUse } from "../model-script.ts";
import type { Reply } from "../model-server/reply.ts";
import { cutMidEvent, holdMidStream, maxTokensInToolUse, rateLimited, unauthorized } from "../model-troubles.ts";
import { randomOf } from "../random.ts";

/** One turn. */
export type TurnPlan = {
  readonly prompt: string;
  readonly replies: readonly Reply[];
  readonly ends: TerminalStatus;
  /** What is answered to whatever is asked; `abort` stops the run instead. */
  readonly answer: "allow_once" | "reject" | "abort";
  /** The turn begins on another day, and the screen has changed by the time of the answer. */
  readonly moves: boolean;
  /** The request of the turn, from 1, that is held: the run is stopped there. */
  readonly stopsAt: number | undefined;
  /** Events behind which all objects die. */
  readonly deaths: readonly number[];
  /** A deploy with other tools: before the turn, or while a person is asked. */
  readonly deploys: "before" | "asked" | undefined;
  /** What AGENTS.md says from here on. */
  readonly rules: string | undefined;
};

type Script = Pick<TurnPlan, "replies"> & Partial<TurnPlan>;

const calls = (nth: number, name: string, input: Readonly<Record<string, unknown>>, options = {}): Reply =>
  message([thought(`I think ${nth}.`), toolUse({ name, input })], options);

const looks = (nth: number, options = {}): Reply =>
  message(
    [
      ...[thought(`I look ${nth}.`), { type: "text" as const, text: "Let me see." }],
      ...["list-stocks", "view-screen"].map((name) => toolUse({ name, input: {} })),
    ],
    options,
  );

const says = (nth: number): Reply => think(`I know ${nth}.`, `Answer ${nth}.`);

/** Each adds a different stock, so that none is there already. */
const adds = (nth: number): Reply => calls(nth, "add-stock", { symbol: `T${nth}` });

const LONG = { usage: { input: 160_000 } };

/** A turn of each kind. */
const SCRIPTS: readonly ((nth: number) => Script)[] = [
  (nth) => ({ replies: [says(nth)] }),
  (nth) => ({ replies: [looks(nth), says(nth)] }),
  (nth) => ({ replies: [looks(nth), calls(nth, "read_file", { path: "AGENTS.md" }), says(nth)] }),
  (nth) => ({ replies: [adds(nth), says(nth)] }),
  (nth) => ({ replies: [adds(nth), says(nth)], moves: true }),
  (nth) => ({ replies: [looks(nth), adds(nth), says(nth)], moves: true, answer: "reject" }),
  (nth) => ({ replies: [calls(nth, "run_shell", { command: `echo ${nth}` }), says(nth)] }),
  (nth) => ({ replies: [looks(nth), adds(nth)], answer: "abort", ends: "aborted" }),
  (nth) => ({ replies: [looks(nth), holdMidStream("Half of", "it.")], stopsAt: 2, ends: "aborted" }),
  (nth) => ({ replies: [pauseTurn(`Wait ${nth}.`), says(nth)] }),
  (nth) => ({ replies: [thinkRedacted(`redacted${nth}`, "Hidden."), says(nth)] }),
  (nth) => ({
    replies: [message([thought(""), opaque({ type: "server_note", nth }), { type: "text", text: "Noted." }])],
  }),
  (nth) => ({ replies: [rateLimited({ "retry-after-ms": "1" }), says(nth)] }),
  () => ({ replies: [say("Cut", { stopReason: "max_tokens" })], ends: "incomplete" }),
  () => ({ replies: [maxTokensInToolUse("add-stock", '{"sym')], ends: "incomplete" }),
  () => ({ replies: [unauthorized()], ends: "failed" }),
];

/** Share of turns that everything dies in. */
const DEADLY = 0.3;

/** Events a turn has, roughly: deaths fall anywhere in it. */
const EVENTS_PER_TURN = 12;

/** Turns with something that happens once, by their number from 1. */
const ONCE: Readonly<Record<number, (nth: number) => Script>> = {
  1: (nth) => ({ replies: [says(nth)], rules: "Be kind." }),
  9: (nth) => ({ replies: [cutMidEvent("Half"), says(nth)] }),
  14: (nth) => ({ replies: [message([thought("Long."), { type: "text", text: `Answer ${nth}.` }], LONG)] }),
  15: (nth) => ({ replies: [says(nth)] }),
  22: (nth) => ({ replies: [says(nth)], rules: "Be brief." }),
  28: (nth) => ({ replies: [looks(nth, LONG), says(nth)] }),
  40: (nth) => ({ replies: [looks(nth), says(nth)], deploys: "before" }),
  50: (nth) => ({ replies: [looks(nth), adds(nth), says(nth)], deploys: "asked" }),
};

/** Turns in which a summary is made. Crashes during a summary have tests of their own. */
const SUMMARIZED: ReadonlySet<number> = new Set([14, 15, 28]);

/** More answers than the script needs: each death can use one up. */
const spare = (nth: number): Reply[] => [says(nth), says(nth), says(nth), summary(`Until ${nth}.`)];

/** The turns of a thread. */
export const planOf = (seed: number, turns: number): TurnPlan[] => {
  const random = randomOf(seed);
  return Array.from({ length: turns }, (_, index) => {
    const nth = index + 1;
    const kind = SCRIPTS[Math.floor(random() * SCRIPTS.length)];
    const deaths = [random(), random()].map((where) => Math.ceil(where * EVENTS_PER_TURN));
    const isDeadly = random() < DEADLY;
    const script = (ONCE[nth] ?? kind)?.(nth) ?? { replies: [] };
    const mayDie =
      script.stopsAt === undefined && script.moves !== true && !SUMMARIZED.has(nth) && script.ends === undefined;
    return {
      ...{ ends: "completed", answer: "allow_once", moves: false, stopsAt: undefined, deploys: undefined },
      ...{ rules: undefined, ...script },
      prompt: `Question ${nth}`,
      replies: [...script.replies, ...spare(nth)],
      deaths: isDeadly && mayDie ? deaths : [],
    };
  });
};
