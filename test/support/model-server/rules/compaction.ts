/**
 * Summaries: requests that ask for one, and the signed block that then replaces the messages. Codes as in the SDK
 * (`Compaction…ErrorDetails`); messages the API documents: https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand
 */
import { headOf } from "../prefix.ts";
import type { Call } from "./call.ts";
import { asksForSummary, type Block, type MessagesRequest } from "./request-shape.ts";
import { invalid, type Refusal } from "./rule.ts";

const BETA = "compact-2026-09-04";

/** Parameters that would do nothing on a summary. */
const forbiddenBeside = ({ request }: Call): string | undefined => {
  if (request.stop_sequences !== undefined) return "stop_sequences";
  if (request.context_management !== undefined) return "context_management";
  if ((request.output_config?.format ?? null) !== null) return "output_config.format";
  return ["any", "tool"].includes(request.tool_choice?.type ?? "auto") ? "tool_choice" : undefined;
};

const summaryRequestProblem = (call: Call): Refusal | undefined => {
  const { request, betas, model, made } = call;
  if (!betas.has(BETA)) return invalid(`compaction: the \`compaction\` parameter requires anthropic-beta: ${BETA}`);
  if (model?.isClaude5 === false) return invalid("compaction: this model does not support the `compaction` parameter");
  const forbidden = forbiddenBeside(call);
  if (forbidden !== undefined) return invalid(`${forbidden}: cannot be combined with \`compaction\``);
  if (!request.messages.some(({ role, content }) => role !== "system" && content.length > 0))
    return invalid(
      "messages: there is no `user` or `assistant` content to summarize",
      "compaction_nothing_to_summarize",
    );
  const last = request.messages.at(-1);
  const isOpen =
    last?.role === "assistant" &&
    (last.content.some(({ type }) => type === "tool_use") || made?.hasPaused(last.content) === true);
  return isOpen
    ? invalid(
        "messages: the last `assistant` turn is not finished; send the results of its tool calls, then compact",
        "compaction_incomplete_turn",
      )
    : undefined;
};

const changedProblem = (block: Block, path: string, { made }: Call): Refusal | undefined => {
  if (made === undefined) return undefined;
  const summary = made.summary(block.signature);
  if (summary === undefined)
    return invalid(`${path}: \`compaction\` block has an invalid \`signature\``, "compaction_signature_invalid");
  return summary.content === block.content
    ? undefined
    : invalid(
        `${path}: \`compaction\` block \`content\` does not match its \`signature\``,
        "compaction_content_mismatch",
      );
};

/** A request for a summary that cannot be had, or a summary that is changed, doubled, or not at the start. */
export const compactionProblem = (call: Call): Refusal | undefined => {
  const { request, betas } = call;
  const problem = asksForSummary(request) ? summaryRequestProblem(call) : undefined;
  if (problem !== undefined) return problem;
  const placed = request.messages.flatMap(({ role, content }, at) =>
    content.map((block, index) => ({ block, role, path: `messages.${at}.content.${index}` })),
  );
  const summaries = placed.filter(({ block }) => block.type === "compaction");
  const [first] = summaries;
  if (first === undefined) return undefined;
  if (!betas.has(BETA))
    return invalid(
      `${first.path}: Input tag 'compaction' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'text', 'thinking', 'tool_result', 'tool_use'`,
    );
  if (summaries.length > 1)
    return invalid("messages: only one `compaction` block may be sent, the newest", "compaction_block_ambiguous");
  if (first.path !== "messages.0.content.0" || first.role === "system")
    return invalid(
      `${first.path}: \`compaction\` block must be sent first, in place of the messages it summarizes; remove those messages`,
      "compaction_block_misplaced",
    );
  return changedProblem(first.block, first.path, call);
};

/**
 * What the API lets pass and a later request pays for: a summary that is asked for behind another system prompt or other
 * tools than the conversation had. Thinking in the turns that are kept is then lost.
 */
export const summaryHeadProblem = (request: MessagesRequest, lastTurnCall: MessagesRequest): string | undefined => {
  if (!asksForSummary(request)) return undefined;
  const [now, before] = [headOf(request), headOf(lastTurnCall)];
  if (now.system !== before.system) return "compaction: the `system` prompt differs from that of the conversation";
  return now.tools === before.tools ? undefined : "compaction: the `tools` list differs from that of the conversation";
};
