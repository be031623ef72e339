/** Says once, after the first stock, that the agent can be asked about the list. */
import { showToast } from "../../parts/toasts.tsx";
import { askAgent } from "../../state/agent-panel.ts";

const STORAGE_KEY = "tally.agent-hint";

const QUESTION = "What do I own?";

/** Does nothing for a list that is still empty, and the second time. */
export const hintAtAgent = (hasStocks: boolean): void => {
  if (!hasStocks || localStorage.getItem(STORAGE_KEY) !== null) return;
  try {
    localStorage.setItem(STORAGE_KEY, "said");
  } catch {
    // The storage is full: it is said again after a reload.
  }
  showToast({
    text: "Your list has begun. The agent can answer questions about it, and asks before it changes anything.",
    action: { label: "Ask what I own", run: () => askAgent(QUESTION) },
  });
};
