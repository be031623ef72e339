/** What a scenario is, and what its turns share. */
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import type { Answerer, HarnessUnderTest } from "../support/agent-sdk/harness-client.ts";
import type { Reply } from "../support/model-server/reply.ts";

/** One turn of a scenario. */
type ScenarioTurn = {
  readonly begin: "new" | "message" | "deferred";
  readonly prompt?: string;
  readonly budgetUsd?: number;
  readonly maxTurns?: number;
  readonly answer?: Answerer;
  readonly onLine?: (line: TurnLine, host: HarnessUnderTest) => void;
};

/** A scenario: what the model says, and what is done. */
export type Scenario = {
  readonly name: string;
  readonly about: string;
  /** No credential is given. */
  readonly isLoggedOut?: true;
  /** The SDK tells it in one of two ways, by how fast its process is. */
  readonly isVaried?: true;
  readonly replies: (dir: string) => readonly Reply[];
  readonly turns: readonly ScenarioTurn[];
};

/** The actions that turns offer. */
export const TOOLS = [
  {
    name: "list-stocks",
    kind: "read",
    description: "Lists the person's stocks.",
    inputSchema: { type: "object", properties: { q: { type: "string" } }, additionalProperties: false },
  },
  {
    name: "add-stock",
    kind: "edit",
    description: "Adds a stock.",
    inputSchema: { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] },
  },
  { name: "ask_user", kind: "edit", description: "Asks the person.", inputSchema: { type: "object" } },
  { name: "propose_plan", kind: "edit", description: "Proposes a plan.", inputSchema: { type: "object" } },
  { name: "set_todos", kind: "read", description: "Shows to-dos.", inputSchema: { type: "object" } },
] as const;

/** Has a person asked; answers reads at once. */
export const asks: Answerer = (question) =>
  question.type === "tool" ? { type: "tool", output: '{"items":[]}', isError: false } : { type: "ask" };

/** Allows everything. */
export const allows: Answerer = () => ({ type: "allow" });
