/** The world of a loop in tests: a recording journal, tools made on the spot, and no waiting. The model is a real client. */
import type { TurnDeps } from "../../src/harness/anthropic/loop.ts";
import { progressOf, type TurnProgress } from "../../src/harness/anthropic/turn-progress.ts";
import type { PreparedCall, Tool, ToolResult } from "../../src/harness/tools/tool.ts";
import type { ToolCall } from "../../src/harness/turn.ts";
import type { Model } from "../../src/model/model.ts";
import { ask } from "./ask-model.ts";
import { RecordingJournal } from "./recording-journal.ts";

/** The loop's deps, and what a test reads from them. `waits`: each wait between two tries, in ms. */
export type LoopWorld = TurnDeps & { readonly journal: RecordingJournal; readonly waits: number[] };

/** A world with these tools. Waits end at once, ids count from `m1`, random numbers are 0, reads run without a request and there are no rules. */
export const loopWorld = (model: Model, tools: readonly Tool[] = [], overrides: Partial<TurnDeps> = {}): LoopWorld => {
  const waits: number[] = [];
  let ids = 0;
  return {
    model,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    gate: {
      refusal: () => undefined,
      runsUnasked: (kind) => kind === "read",
      elsewhere: () => undefined,
      mayBecomeRule: () => true,
      isCovered: async () => false,
    },
    callKey: (toolCallId) => `run:r1:${toolCallId}`,
    isSubjectCut: () => false,
    newId: () => `m${++ids}`,
    random: () => 0,
    wait: async (ms) => void waits.push(ms),
    requests: plainRequests,
    ...overrides,
    journal: new RecordingJournal(),
    waits,
  };
};

/** The turn's messages as they are, and no other request when they are refused. */
export const plainRequests: TurnDeps["requests"] = {
  prepare: async () => {},
  next: (messages) => ask("", { messages }),
  shorter: async () => undefined,
  plainer: () => undefined,
  accept: async () => {},
};

/** A turn that has not begun. */
export const newTurn = (prompt: string): TurnProgress => progressOf({ prompt, steps: [] });

/** What a tool of a test does; `done` by default. */
type Behaviour = Partial<PreparedCall>;

const done = async (): Promise<ToolResult> => ({ output: "done", isError: false });

/** A tool of kind `read`. */
export const readTool = (name: string, behaviour: Behaviour = {}): Tool => ({
  name,
  kind: "read",
  description: name,
  inputSchema: { type: "object" },
  prepare: () => ({ title: `Read with ${name}`, mayBecomeRule: false, run: done, ...behaviour }),
});

/** A tool of kind `edit` that changes `src/<path>`, where its input has a path. */
export const editTool = (name: string, behaviour: Behaviour = {}): Tool => ({
  ...readTool(name),
  kind: "edit",
  prepare: ({ path = "a.ts" }) => ({
    title: `Edit ${path}`,
    mayBecomeRule: true,
    propose: async () => ({ subject: { type: "edit", path: `src/${path}`, diff: "+x" } }),
    run: done,
    ...behaviour,
  }),
});

/** A call as `tool_start` showed it, in the given state. */
export const callOf = (tool: Tool, state: ToolCall["state"], overrides: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: "1-0",
  toolUseId: "toolu_1",
  messageId: "m1",
  tool: tool.name,
  kind: tool.kind,
  title: tool.name,
  input: {},
  state,
  ...overrides,
});
