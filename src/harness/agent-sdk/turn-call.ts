/** What the host is asked for a turn: model, tools, and what it may spend. */
import type { TurnWorld } from "../adapter.ts";
import type { Tool } from "../tools/tool.ts";
import type { TurnCall } from "./host-wire.ts";
import { SDK_INSTRUCTIONS } from "./sdk-instructions.ts";

/** Less than any model call costs, in US dollars. */
const LEAST_USD = 0.000_001;

/** The call. */
export const turnCall = (
  { model, effort, budget }: Pick<TurnWorld, "model" | "effort" | "budget">,
  tools: readonly Tool[],
  turn: Pick<TurnCall, "turnId" | "sessionId" | "begin">,
): TurnCall => {
  const leftUsd = budget?.leftUsd?.();
  return {
    ...turn,
    model: model.name,
    instructions: SDK_INSTRUCTIONS,
    tools: tools.map(hostedTool),
    ...(effort === undefined ? {} : { effort }),
    ...(leftUsd === undefined ? {} : { budgetUsd: Math.max(leftUsd, LEAST_USD) }),
  };
};

/** A tool of ours as the host is told of it. One that asks a person never runs beside another one that does. */
const hostedTool = ({ name, description, kind, inputSchema, asksPerson }: Tool): TurnCall["tools"][number] => ({
  ...{ name, description, inputSchema: { ...inputSchema } },
  kind: kind === "read" && asksPerson !== true ? "read" : "edit",
});
