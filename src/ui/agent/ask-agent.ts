/** Asks the agent from elsewhere in the app. */
import { createStore } from "../state/store.ts";
import { agentPanelOpen } from "./agent-panel-open.ts";

/** A text for the composer that is on the page, or the next one; undefined once it has been taken. */
export const askedText = createStore<string | undefined>(undefined);

/** Opens the panel and puts `text` into its composer, with the focus behind it. Nothing is sent. */
export const askAgent = (text: string): void => {
  askedText.set(text);
  agentPanelOpen.set(true);
};
