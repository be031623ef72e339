/**
 * A turn that the model has refused. Sent again it would be refused again, for ever, so it stays in the store and in the
 * transcript, and later requests have one line in its place
 * (https://platform.claude.com/docs/en/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals).
 */

/** A call that changed something, or may have. */
export type CallEffect = { readonly tool: string; readonly title: string; readonly isCertain: boolean };

/** The line: that there was such a turn, and what it had done before. */
export const omittedLine = (effects: readonly CallEffect[]): string => {
  const done = effects.map(({ tool, title, isCertain }) => `${tool} (${title}${isCertain ? "" : ", outcome unknown"})`);
  const effect = done.length === 0 ? "Nothing was changed by it." : `What it had done before: ${done.join("; ")}.`;
  return `[A turn is left out here, because the model refused it. ${effect}]`;
};
