/** What is known of each harness without its code, which loads late (`harness/registry`). */
import type { HarnessName } from "../contract/ids.ts";

/** What has to be known of a harness at once, in a transaction or before a turn is started, without any of the adapter's code. */
export type HarnessTraits = {
  /** Sessions are looked up by owner, thread and this name, so nothing stored ever reaches another adapter. Never changes. */
  readonly name: HarnessName;
  /** Whether it calls its model by itself, on an account of its own. The app's credential is then not used. */
  readonly hasOwnModel: boolean;
  /** Whether a running turn takes messages (`TurnJournal.takeMessages`). If not, they are refused with 409. */
  readonly takesMessages: boolean;
  /** Whether a person can have its conversation summarized (`ResumedThread.compact`). */
  readonly compacts: boolean;
  /** Whether it keeps sessions on the person's own machine (`HarnessAdapter.hostSession`). */
  readonly keepsHostSessions: boolean;
  /** The content that is stored for a message left open when its run ends. `text`: what was streamed of it; may be empty. */
  contentOf(text: string): unknown;
};

/** Our own loop. */
export const ANTHROPIC_TRAITS: HarnessTraits = {
  name: "anthropic",
  hasOwnModel: false,
  takesMessages: true,
  compacts: true,
  keepsHostSessions: false,
  contentOf: (text) => (text.trim() === "" ? [] : [{ type: "text", text }]),
};

/** The vendor's agent SDK. */
export const AGENT_SDK_TRAITS: HarnessTraits = {
  name: "agent-sdk",
  hasOwnModel: true,
  takesMessages: false,
  compacts: false,
  keepsHostSessions: true,
  contentOf: (text) => ({ text }),
};
