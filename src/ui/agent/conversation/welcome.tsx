/** What an empty conversation offers: questions to send, or, to somebody without stocks, the ways to begin a list. */
import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { messageToSend } from "../../state/agent-panel.ts";
import { FIRST_REQUESTS, StartWays } from "../../stocks/example/start-ways.tsx";
import { useStockList } from "../../stocks/store/use-stock-list.ts";
import { ConversationContext } from "./conversation-context.ts";

const IDEAS = ["What do I own?", "Which targets are reached?", "What changed this week?"];

/** Pressing an idea sends it. */
export const Welcome = () => {
  const { list } = useStockList();
  const { path, route } = useLocation();
  const { threadId } = useContext(ConversationContext);
  const isFirst = list?.isComplete === true && list.items.length === 0;
  return (
    <div class="welcome">
      <h2>What would you like to know?</h2>
      <p>
        {isFirst
          ? "Your list is empty. Start it here, or tell the agent what you own. It asks before it changes anything."
          : "Ask about your stocks, or ask for changes. The agent reads freely and asks before it changes anything."}
      </p>
      {/* Beside an empty list these are there already. */}
      {isFirst && path !== "/stocks" && <StartWays onOpen={(dialog) => route(`/stocks?dialog=${dialog}`)} />}
      <ul key={threadId} class="ideas">
        {(isFirst ? FIRST_REQUESTS : IDEAS).map((idea) => (
          <li key={idea}>
            <button type="button" class="btn small idea" onClick={() => messageToSend.set(idea)}>
              {idea}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
