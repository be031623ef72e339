/** Answers the host's questions about calls, by the gate that all harnesses share. */
import { log } from "../../contract/log.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { PermissionAsk, TurnJournal } from "../journal.ts";
import { permissionAsk } from "../permission-gate.ts";
import { type SettleDeps, settleCalls } from "../settle-calls.ts";
import type { CallResult, ToolCall } from "../turn.ts";
import type { AgentHost } from "./agent-host.ts";
import type { QuestionAnswer, TurnLine } from "./host-wire.ts";
import { keepBefore } from "./keep-before.ts";
import type { LastCalls } from "./last-calls.ts";
import { basisOf, isAsShown, proposalOf } from "./sdk-calls.ts";

/** A question of the host. */
export type Question = Extract<TurnLine, { type: "permission" | "tool" }>;

/** Once the host's turn has ended, a person has to be asked about this call, or has to be asked the call's questions. */
export type Asked = { readonly call: ToolCall } & (
  | { readonly ask: PermissionAsk }
  | { readonly questions: Parameters<TurnJournal["askQuestions"]>[1] }
);

/** The answer, and what a person has to be asked after it. */
type Answered = { readonly answer: QuestionAnswer; readonly asked?: Asked };

/** What the model reads of an action that waits for a person. */
const IS_ASKED = "The person has been asked. Their answer will come as a message.";

/** For a call of an earlier turn. A session that ended with a deferred call asks about that call again, even if that turn was stopped. */
const IS_OVER =
  "This call is of an earlier turn, which is over. It has not run. Make a new call if it is still wanted.";

const BROKE_OFF = "The message with this call was cut off, so it has not run. Make a new call.";

const NOT_AS_SHOWN = "This is not what the person was shown. Make a new call.";

/** Answers a question after doing the Worker's part: it runs an action, or records that an edit starts. */
export const answerQuestion = (
  question: Question,
  calls: LastCalls,
  deps: SettleDeps,
  host: AgentHost,
  signal: AbortSignal,
): Promise<Answered> => {
  const call = calls.find(question.toolUseId);
  if (call === undefined) return Promise.resolve(refusal(question, IS_OVER, true));
  // The answer is about the call that the transcript shows under this id.
  if ((question.type === "permission" ? question.tool : question.name) !== call.tool) {
    return Promise.resolve(refusal(question, NOT_AS_SHOWN, false));
  }
  return question.type === "permission" ? decide(question, call, calls, deps, host) : runOwn(call, calls, deps, signal);
};

const decide = async (
  { subject }: Extract<Question, { type: "permission" }>,
  call: ToolCall,
  calls: LastCalls,
  { gate, journal, isSubjectCut }: SettleDeps,
  host: AgentHost,
): Promise<Answered> => {
  const allow = async (ifState: string | undefined): Promise<Answered> => {
    await calls.markStarted(call);
    await keepBefore(call, subject, host, calls.journal);
    return { answer: { type: "allow", ...(ifState === undefined ? {} : { ifState }) } };
  };
  const deny = async (result: CallResult): Promise<Answered> => {
    await calls.end(call, result);
    return { answer: { type: "deny", message: result.output } };
  };
  const proposal = proposalOf(subject);
  const moved = gate.elsewhere(proposal.subject);
  switch (call.state.type) {
    case "allowed": {
      if (moved !== undefined) return await deny(moved);
      const shown = journal.shown(call.toolCallId);
      // The SDK identifies the call only by its id when it asks again, but the person consented to what was shown.
      if (isAsShown(shown, proposal)) return await allow(basisOf(shown)?.before);
      return await deny({ status: "denied", output: NOT_AS_SHOWN });
    }
    case "rejected":
      return await deny({ status: "denied", output: call.state.reason });
    case "pending": {
      const refused = gate.refusal(call) ?? moved;
      if (refused !== undefined) return await deny(refused);
      const before = basisOf(proposal)?.before;
      const { subject: shown } = proposal;
      const ask = permissionAsk(proposal, { mayBecomeRule: gate.mayBecomeRule(shown), isCut: isSubjectCut(shown) });
      if (ask.rule === undefined || !(await gate.isCovered(shown))) {
        return { answer: { type: "ask" }, asked: { call, ask } };
      }
      await calls.allowByRule(call, ask);
      return await allow(before);
    }
    case "ended":
      // A session that died with a deferred call asks for it again before it reads a message (decision 0183).
      return { answer: { type: "deny", message: call.state.result.output, isOver: true } };
    default:
      return { answer: { type: "deny", message: "This call is over. Make a new one." } };
  }
};

const runOwn = async (call: ToolCall, calls: LastCalls, deps: SettleDeps, signal: AbortSignal): Promise<Answered> => {
  let asked: Asked | undefined;
  const { journal } = deps;
  const settled = await settleCalls(
    [call],
    {
      ...deps,
      journal: {
        allowByRule: (...given) => journal.allowByRule(...given),
        shown: (...given) => journal.shown(...given),
        markStarted: (...given) => journal.markStarted(...given),
        keepBefore: (...given) => journal.keepBefore(...given),
        output: (...given) => journal.output(...given),
        showTodos: (...given) => journal.showTodos(...given),
        endCall: (...given) => journal.endCall(...given),
        // A person is asked when the host's turn is over, so that nothing follows the question.
        ask: async (_, ask) => {
          asked = { call, ask };
        },
        askQuestions: async (_, questions) => {
          asked = { call, questions };
        },
      },
    },
    signal,
  );
  const [done] = settled === "waiting" ? [] : settled;
  if (done?.state.type !== "ended") {
    const answer = { type: "tool", output: IS_ASKED, isError: false, ends: true } as const;
    return asked === undefined ? { answer } : { answer, asked };
  }
  calls.note(call, done.state);
  const { output, status } = done.state.result;
  return { answer: { type: "tool", output, isError: status !== "completed" } };
};

const refusal = ({ type }: Question, message: string, isOver: boolean): Answered => ({
  answer: type === "tool" ? { type, output: message, isError: true } : { type: "deny", message, isOver },
});

/** The answer to a question about a call in a message that is dropped. */
export const brokenOff = (question: Question): QuestionAnswer => refusal(question, BROKE_OFF, false).answer;

/** Sends an answer to the host. It is no error if the question is already closed: the turn's own end says more. */
export const sendAnswer = async (
  host: AgentHost,
  turnId: string,
  { questionId }: Question,
  answer: QuestionAnswer,
): Promise<void> => {
  try {
    await host.answer(turnId, questionId, answer);
  } catch (error) {
    if (!(error instanceof WorkspaceError && error.code === "not_found")) throw error;
    log.info("A question was closed before its answer.");
  }
};
