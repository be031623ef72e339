/**
 * The to-dos and the accepted plan of a conversation. They are said again once the calls that set them are summarized or left out: a
 * summary may forget what is still to be done.
 */
import * as z from "zod";
import { type Todo, TodosInput } from "../../../contract/guidance/todo.ts";
import type { ContentBlock, Message } from "../../../model/messages.ts";
import { fence } from "../../model-text.ts";
import { ACCEPTANCE, PROPOSE_PLAN } from "../../plan-mode.ts";
import { Guidance, type ResumeState, saysOurselves, type TurnState, withTexts } from "../conversation.ts";

const SET_TODOS = "set_todos";

const PlanInput = z.object({ markdown: z.string() });

/** The guidance after these messages. `before`: the guidance before them. */
export const guidanceAfter = (messages: readonly Message[], before: Guidance = {}): Guidance => {
  const blocks = messages.flatMap(({ content }) => content);
  const accepted = new Set(blocks.flatMap((block) => (isAcceptance(block) ? [block.tool_use_id] : [])));
  let guidance = before;
  for (const block of blocks) {
    const held = block.type === "text" ? Guidance.safeParse(block.holds).data : undefined;
    if (held !== undefined) guidance = held;
    if (block.type !== "tool_use") continue;
    const items = todosIn(block);
    const plan = accepted.has(block.id) ? planIn(block) : undefined;
    // To-dos belong to the plan before them, so a new plan drops them.
    if (plan !== undefined) guidance = { plan };
    if (items?.every(({ state }) => state === "done") === true) guidance = {};
    else if (items !== undefined) guidance = { ...guidance, todos: items };
  }
  return guidance;
};

/** The guidance of a conversation whose running turn has these messages so far, as the model has written them. */
export const guidanceOf = ({ turns, guidance }: ResumeState, current: readonly Message[]): Guidance =>
  guidanceAfter([...turns.flatMap(({ messages }) => messages), ...current], guidance);

/** The state of a turn that says these texts after its messages so far. It also holds what was to be done before the turn. */
export const saidIn = (
  state: TurnState,
  resumeState: ResumeState,
  current: readonly Message[],
  texts: readonly string[],
): TurnState => {
  const guidance = guidanceOf(resumeState, []);
  const isOver = guidance.plan === undefined && guidance.todos === undefined;
  const step = current.filter(({ role }) => role === "assistant").length;
  const holding = isOver ? state : { ...state, guidance };
  return texts.length === 0 ? holding : withTexts(holding, step, texts);
};

/** The texts for those parts of the guidance that none of the messages sent says any more. */
export const guidanceTexts = ({ todos, plan }: Guidance, sent: readonly Message[]): string[] => {
  const calls = sent.flatMap(({ content }) => content);
  const says = (text: string, isSaidBy: (block: ContentBlock) => boolean) =>
    calls.some(isSaidBy) || sent.some((message) => saysOurselves(message, text));
  const planText = plan === undefined ? undefined : `${PLAN_AGAIN}\n<data>${fence(plan)}</data>`;
  const todosText =
    todos === undefined ? undefined : `${TODOS_AGAIN}\n<data>${fence(todos.map(line).join("\n"))}</data>`;
  const wantedTodos = JSON.stringify(todos);
  return [
    ...(planText === undefined || says(planText, (block) => planIn(block) === plan) ? [] : [planText]),
    ...(todosText === undefined || says(todosText, (block) => JSON.stringify(todosIn(block)) === wantedTodos)
      ? []
      : [todosText]),
  ];
};

const PLAN_AGAIN =
  "The plan that the person accepted in an earlier turn. It allows nothing by itself: what changes something still asks.";

const TODOS_AGAIN = "Your to-dos, as you last set them in an earlier part of this chat:";

const line = ({ text, state }: Todo): string => `[${state}] ${text}`;

const isAcceptance = (block: ContentBlock): block is Extract<ContentBlock, { type: "tool_result" }> =>
  block.type === "tool_result" && JSON.stringify(block.content).includes(ACCEPTANCE);

const todosIn = (block: ContentBlock): Todo[] | undefined =>
  block.type === "tool_use" && block.name === SET_TODOS ? TodosInput.safeParse(block.input).data?.items : undefined;

const planIn = (block: ContentBlock): string | undefined =>
  block.type === "tool_use" && block.name === PROPOSE_PLAN
    ? PlanInput.safeParse(block.input).data?.markdown
    : undefined;
