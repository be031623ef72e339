/** All scripts of a server, by key, and what it could not route to one. */
import { ModelsApi } from "./models-api.ts";
import { ScriptedConversation } from "./scripted-conversation.ts";
import { StrictApi } from "./strict-api.ts";

/** Keys come into being when they are first named, by a test or by a request. */
export class Scripts {
  /** One for all scripts: a conversation may begin under one key and go on under another. */
  readonly api = new StrictApi();
  readonly modelsApi = new ModelsApi((problem) => this.unrouted(problem));
  /** The script under which a summary was written: the messages it replaces may have held the only marker. */
  readonly summaryKeys = new Map<string, string>();
  readonly #byKey = new Map<string, ScriptedConversation>();
  readonly #unrouted: string[] = [];

  of(key: string): ScriptedConversation {
    const conversation = this.#byKey.get(key) ?? new ScriptedConversation(key);
    this.#byKey.set(key, conversation);
    return conversation;
  }

  /** Keeps a violation by a request that names no script. */
  unrouted(problem: string): void {
    this.#unrouted.push(problem);
  }

  /** Every violation since the start; `key` is null for requests without a script. */
  violations(): { key: string | null; problem: string }[] {
    const routed = [...this.#byKey].flatMap(([key, { violations }]) => violations.map((problem) => ({ key, problem })));
    return [...this.#unrouted.map((problem) => ({ key: null, problem })), ...routed];
  }
}
