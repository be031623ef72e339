/** Tells the server where the person is, so that the agent can answer "what am I looking at" (DESIGN §7). */
import type { ActionInput } from "../../contract/action.ts";
import { runAction } from "../actions/call-action.ts";

/** Changes that come closer than this are told as one: the last. */
const QUIET_MS = 400;

type Navigation = ActionInput<"set-navigation">;

/** What is to be told, what was told last, and the telling under way. */
let wanted = "";
let told = "";
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> = Promise.resolve();

/** Tells a state soon, unless it was told already. */
export const reportNavigation = (navigation: Navigation): void => {
  wanted = JSON.stringify(navigation);
  clearTimeout(timer);
  if (wanted !== told) timer = setTimeout(() => void flushNavigation(), QUIET_MS);
};

/** Tells at once what is still to be told; settles when the server has it. A turn waits for it before it starts. */
export const flushNavigation = (): Promise<void> => {
  clearTimeout(timer);
  // One after the other: two requests side by side could arrive in the wrong order.
  underWay = underWay.then(tell);
  return underWay;
};

const tell = async (): Promise<void> => {
  const text = wanted;
  if (text === told || text === "") return;
  try {
    await runAction("set-navigation", JSON.parse(text));
    told = text;
  } catch {
    // Only a hint for the agent: the next change tells it again.
  }
};
