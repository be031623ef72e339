/** What an empty conversation offers: questions to send, or, to somebody without stocks, the ways to begin a list. */
import { useContext, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { messageToSend, sendToAgent } from "../../state/message-to-send.ts";
import { useStore } from "../../state/store.ts";
import { FIRST_REQUESTS, StartWays } from "../../stocks/example/start-ways.tsx";
import { useStockList } from "../../stocks/store/use-stock-list.ts";
import { ConversationContext } from "./conversation-context.ts";

const IDEAS = ["What do I own?", "Which targets are reached?", "What changed this week?"];

/** Whether the list is empty; undefined until that is known. A list that cannot be read counts as one with stocks. */
const useIsFirst = (): boolean | undefined => {
  const { list, error } = useStockList();
  // After an error the ideas stay, even if the list comes later: other buttons would appear under a finger.
  const hasFailed = useRef(false);
  if (error !== null && !list?.isComplete) hasFailed.current = true;
  if (hasFailed.current || (list && list.items.length > 0)) return false;
  return list?.isComplete ? true : undefined;
};

/** Pressing an idea sends it. */
export const Welcome = () => {
  const isFirst = useIsFirst();
  const isSending = useStore(messageToSend) !== undefined;
  const { path, route } = useLocation();
  const { threadId } = useContext(ConversationContext);
  return (
    <div class="welcome">
      <h2>What would you like to know?</h2>
      {isFirst !== undefined && (
        <p>
          {isFirst
            ? "Your list is empty. Start it here, or tell the agent what you own. It asks before it changes anything."
            : "Ask about your stocks, or ask for changes. The agent reads freely and asks before it changes anything."}
        </p>
      )}
      {/* The stocks screen shows these already when its list is empty. */}
      {isFirst && path !== "/stocks" && <StartWays onOpen={(dialog) => route(`/stocks?dialog=${dialog}`)} />}
      {isFirst !== undefined && (
        <ul key={threadId} class="ideas">
          {(isFirst ? FIRST_REQUESTS : IDEAS).map((idea) => (
            <li key={idea}>
              <button type="button" class="btn small idea" aria-disabled={isSending} onClick={() => sendToAgent(idea)}>
                {idea}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
