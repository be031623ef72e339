/** The one gate: a hook before each call of the SDK's tools. Its answer is final: no settings file or prompt of the SDK has a say. */
import * as z from "zod";
import { KeyedMutex } from "../../contract/keyed-mutex.ts";
import type { HostSubject, TurnCall } from "../../harness/agent-sdk/host-wire.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { changed } from "../../workspace-server/file-condition.ts";
import type { WorkspaceRoot } from "../../workspace-server/workspace-root.ts";
import { ALLOWED, decided, denied, UNJUDGED } from "./decision.ts";
import { currentState, previewEdit } from "./edit-preview.ts";
import { JudgedCalls } from "./judged-calls.ts";
import { isOwnResult, type ResultsPlace } from "./own-results.ts";
import type { Questions } from "./questions.ts";
import { HookInput, type HookOutput } from "./sdk-module.ts";
import { checkReadable, checkSearchable, relativeTo } from "./workspace-path.ts";

/** The SDK's tools that exist at all. */
export const BUILT_IN_TOOLS = ["Read", "Glob", "Grep", "Edit", "Write", "Bash"] as const;

/** The name of the server with our tools. The SDK puts it into the names of the tools. */
export const TOOL_SERVER = "tally";

const OWN_PREFIX = `mcp__${TOOL_SERVER}__`;

/** Two deferred calls of one message cannot both be resumed: the SDK keeps only the last one (decision 0097). */
export const ASKED_ONE_AT_A_TIME =
  "Asked one at a time: another call is waiting for the person's answer. Make this call again after it.";

type GateWorld = ResultsPlace & {
  readonly root: WorkspaceRoot;
  readonly tools: TurnCall["tools"];
  readonly questions: Questions;
};

/** What a turn's calls share. */
export class Gate {
  readonly #world: GateWorld;
  /** Asks questions one after the other, since the answer to the first decides about the second. */
  readonly #order = new KeyedMutex();
  readonly #judged = new JudgedCalls();
  /** Calls of earlier turns, with what became of them. */
  readonly #over = new Map<string, string>();
  #isAsked = false;

  constructor(world: GateWorld) {
    this.#world = world;
  }

  /** Whether a call of this turn waits for a person. From then on only reads run. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** The turn ends because a person is asked. */
  markAsked(): void {
    this.#isAsked = true;
  }

  /** The hook before a call. */
  readonly beforeCall = (given: unknown): Promise<HookOutput> => {
    const call = HookInput.safeParse(given);
    if (!call.success) return Promise.resolve(UNJUDGED);
    return this.#judged.decide(call.data, "hook", () => this.#judgeOrDeny(call.data));
  };

  /**
   * The same decision when the SDK prompts instead of calling the hook. That happens to a deferred call of a resumed session if the
   * SDK's process is faster than the registration of the hooks. The `ask` rules in its settings make it always prompt then (decision 0097).
   */
  readonly onPrompt = async (tool: string, toolInput: Readonly<Record<string, unknown>>, toolUseId: string) => {
    const call = { tool_name: tool, tool_input: { ...toolInput }, tool_use_id: toolUseId, cwd: this.#world.root.dir };
    const { hookSpecificOutput: decision } = await this.#judged.decide(call, "prompt", () => this.#judgeOrDeny(call));
    if (decision?.permissionDecision === "allow") return { behavior: "allow", updatedInput: toolInput } as const;
    const message =
      this.#over.get(toolUseId) ?? decision?.permissionDecisionReason ?? "The person has not answered yet.";
    // A call that would be deferred ends the SDK's turn here too, so that the model is not called.
    const ends = decision?.permissionDecision === "defer" ? { interrupt: true } : {};
    return { behavior: "deny", message, ...ends } as const;
  };

  /** Never rejects: a call that cannot be judged is denied. */
  async #judgeOrDeny(call: HookInput): Promise<HookOutput> {
    try {
      return await this.#judge(call);
    } catch (error) {
      if (error instanceof WorkspaceError) return denied(error.message);
      process.stderr.write(`Harness host: ${String(error)}\n`);
      return UNJUDGED;
    }
  }

  async #judge(call: HookInput): Promise<HookOutput> {
    const { root } = this.#world;
    switch (call.tool_name) {
      case "Read": {
        const path = literalPath(z.string().parse(call.tool_input.file_path));
        if (!(await isOwnResult(this.#world, call.cwd, path))) await checkReadable(root, call.cwd, path);
        return ALLOWED;
      }
      case "Glob":
      case "Grep": {
        const path = literalPath(z.string().default(".").parse(call.tool_input.path));
        const isOwn = call.tool_name === "Grep" && (await isOwnResult(this.#world, call.cwd, path));
        if (!isOwn) await checkSearchable(root, call.cwd, path);
        return isInside(call) ? ALLOWED : denied("Name files below the workspace's root.");
      }
      case "Edit":
      case "Write":
        return this.#inOrder(async () => {
          literalPath(z.string().parse(call.tool_input.file_path));
          const edit = { tool: call.tool_name, input: call.tool_input, cwd: call.cwd };
          return this.#ask(call, await previewEdit(root, edit));
        });
      case "Bash":
        return this.#inOrder(async () => {
          const input = BashInput.parse(call.tool_input);
          if (input.run_in_background === true) return denied("Commands in the background are switched off.");
          const dir = relativeTo(root, call.cwd);
          return this.#ask(call, { type: "command", command: input.command, dir });
        });
      default:
        return this.#judgeOwn(call.tool_name);
    }
  }

  /** An action of ours runs in the Worker, which has a gate of its own. */
  #judgeOwn(name: string): HookOutput {
    const tool = this.#world.tools.find((one) => OWN_PREFIX + one.name === name);
    if (tool === undefined) return denied(`${name} is switched off.`);
    return tool.kind === "edit" && this.#isAsked ? denied(ASKED_ONE_AT_A_TIME) : ALLOWED;
  }

  #inOrder(work: () => Promise<HookOutput>): Promise<HookOutput> {
    return this.#order.run(["questions"], async () => (this.#isAsked ? denied(ASKED_ONE_AT_A_TIME) : work()));
  }

  async #ask(call: HookInput, subject: HostSubject): Promise<HookOutput> {
    const answer = await this.#world.questions.ask({
      type: "permission",
      toolUseId: call.tool_use_id,
      tool: call.tool_name,
      input: call.tool_input,
      subject,
    });
    // Deferring the call once more leaves it as it is: the SDK reads the waiting message, and calls the model with that message.
    if (answer.type === "deny" && answer.isOver === true) {
      this.#over.set(call.tool_use_id, answer.message);
      return decided("defer");
    }
    if (answer.type === "deny") return denied(answer.message);
    if (answer.type === "ask") {
      this.#isAsked = true;
      return decided("defer");
    }
    if (answer.type !== "allow") return denied("The answer does not fit the question.");
    if (subject.type === "edit") {
      const now = await currentState(this.#world.root, subject.path);
      if (now !== (answer.ifState ?? subject.stateBefore)) throw changed(subject.path);
    }
    return ALLOWED;
  }
}

const BashInput = z.object({ command: z.string(), run_in_background: z.boolean().optional() });

/**
 * Returns a path that the SDK's tools take literally, and refuses any other. After a call was judged, they trim blanks, replace `~` by the
 * home directory and compose characters (NFC), so that what looks like a directory in the workspace would be one outside.
 */
const literalPath = (path: string): string => {
  if (path !== path.trim() || path.startsWith("~") || path !== path.normalize()) {
    throw new WorkspaceError(
      "refused",
      "Name the path without ~, without blanks around it, and in composed characters (Unicode NFC).",
    );
  }
  return path;
};

/** Whether a call's glob stays inside. A glob may be absolute or climb out, whatever directory the call names. */
const isInside = ({ tool_name, tool_input }: HookInput): boolean => {
  const glob = String((tool_name === "Glob" ? tool_input.pattern : tool_input.glob) ?? "");
  return !/(^|[\s{,])\//.test(glob) && !/(^|[\s{,/])\.\.([/\s},]|$)/.test(glob) && !/(^|[\s{,])~/.test(glob);
};
