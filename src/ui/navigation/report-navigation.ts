/** Tells the server where the person is, so that the agent can answer "what am I looking at" (DESIGN §7). */
import type { ActionInput } from "../../contract/action.ts";
import { actionPath } from "../../contract/action-path.ts";
import { requestJson } from "../actions/request-json.ts";

/** Changes that come closer than this are told as one: the last. */
const QUIET_MS = 400;

/** A telling that takes longer has been swallowed by the network; those behind it must not wait for ever. */
const TIMEOUT_MS = 5_000;

/** Longest that a turn waits: the agent may then see an older screen, which is better than a message that hangs. */
const MAX_WAIT_MS = 1_000;

type Navigation = ActionInput<"set-navigation">;

/** What is to be told; what the server surely has, empty when that is open; and the telling under way. */
let wanted = "";
let told = "";
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> = Promise.resolve();

/** Tells a state soon, unless it was told already. */
export const reportNavigation = (navigation: Navigation): void => {
  wanted = JSON.stringify(navigation);
  clearTimeout(timer);
  if (wanted !== told) timer = setTimeout(tellInTurn, QUIET_MS);
};

/**
 * Tells the state now, also one that was told already: another tab or device may have told its own since. Settles when
 * the server has it, or after a second; never rejects. A turn waits for it before it starts.
 */
export const flushNavigation = async (): Promise<void> => {
  clearTimeout(timer);
  told = "";
  await Promise.race([tellInTurn(), new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
};

/** One after the other: two requests side by side could arrive in the wrong order. */
const tellInTurn = (): Promise<void> => {
  underWay = underWay.then(tell);
  return underWay;
};

const tell = async (): Promise<void> => {
  const text = wanted;
  if (text === told || text === "") return;
  // Until the answer the server may have this or the one before: going back to that one is a change as well.
  told = "";
  try {
    const body: Navigation = JSON.parse(text);
    await requestJson(actionPath("set-navigation"), { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    told = text;
  } catch {
    // Only a hint for the agent: the next change, or the next turn, tells it again.
  }
};
