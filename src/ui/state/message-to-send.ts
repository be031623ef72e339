/** What the app sends for the person, such as a suggestion that they have pressed. Not needed before the first paint. */
import { isChatPath } from "../../contract/app-paths.ts";
import { agentPanelOpen, askedText } from "./agent-panel.ts";
import { createStore } from "./store.ts";

/** A message that the conversation on the page, or the next one, sends; undefined once the server has taken or refused it. */
export const messageToSend = createStore<string | undefined>(undefined);

/** Outlives the conversation that sends: one that is opened meanwhile must not send the same again. */
let isUnderWay = false;

/** Whether the caller is to send the message, and to call `endSending` afterwards. False while another caller sends it. */
export const beginSending = (): boolean => {
  if (isUnderWay) return false;
  isUnderWay = true;
  return true;
};

export const endSending = (): void => {
  isUnderWay = false;
  messageToSend.set(undefined);
};

agentPanelOpen.subscribe(() => {
  const text = messageToSend.get();
  if (agentPanelOpen.get() || isUnderWay || text === undefined) return;
  // The panel could not be opened. Later, nobody would expect the message to be sent.
  messageToSend.set(undefined);
  askedText.set({ text });
});

/** Sends `text`, unless something is on its way: a second press would start a second turn. */
export const sendToAgent = (text: string): void => messageToSend.set(messageToSend.get() ?? text);

/** Sends `text` in the chat on the screen, or else opens the panel and sends it there. */
export const askAgent = (text: string): void => {
  sendToAgent(text);
  // The chat's own screen has no panel. It would open over the next screen.
  if (!isChatPath(location.pathname)) agentPanelOpen.set(true);
};
