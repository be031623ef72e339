import { useQueryClient } from "@tanstack/preact-query";
import { useEffect } from "preact/hooks";
import type { StocksTab } from "../../../contract/screen/navigation.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { showToast } from "../../parts/toasts.tsx";
import { askAgent, messageToSend } from "../../state/message-to-send.ts";
import { useStore } from "../../state/store.ts";
import { FIRST_REQUESTS, StartWays } from "../example/start-ways.tsx";
import { STOCK_LIST_KEY, type StockList } from "../store/stock-store.ts";
import extraStyles from "./list-extras.css";

/** Shown to a person without stocks: add one, import a file, or ask the agent. */
export const EmptyStart = () => {
  adoptStyles(extraStyles);
  const { go } = useStocksPlace();
  const client = useQueryClient();
  const isSending = useStore(messageToSend) !== undefined;
  // This is unmounted when the list has its first stock, or when the person goes elsewhere.
  useEffect(() => () => hintAtAgent((client.getQueryData<StockList>(STOCK_LIST_KEY)?.items.length ?? 0) > 0), [client]);
  return (
    <div class="empty-start">
      <EmptyState title="Start your list">Add what you own or want to watch.</EmptyState>
      <StartWays onOpen={(dialog) => go({ dialog })} />
      <p id="ask-examples">Or ask the agent</p>
      <ul aria-labelledby="ask-examples">
        {FIRST_REQUESTS.map((example) => (
          <li key={example}>
            <Button class="chip" aria-disabled={isSending} onClick={() => askAgent(example)}>
              {example}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const EMPTY_TABS: Readonly<Record<StocksTab, readonly [title: string, text: string]>> = {
  all: ["No stocks", "Add one to begin."],
  watchlist: ["Your watchlist is empty", "Star a stock to watch it here."],
  holdings: ["No holdings yet", "Give a stock a quantity, and it appears here."],
};

type NoMatchProps = {
  readonly tab: StocksTab;
  /** As it was typed. */
  readonly text: string;
  /** `search`, `filters`, both, or nothing. */
  readonly narrowedBy: string;
  readonly onClear: () => void;
};

/** Says why nothing is listed, and offers to clear the filters or to add what was searched for. */
export const NoMatch = ({ tab, text, narrowedBy, onClear }: NoMatchProps) => {
  const { go } = useStocksPlace();
  const sought = text.trim();
  if (!narrowedBy) {
    const [title, explanation] = EMPTY_TABS[tab];
    return (
      <EmptyState title={title} actions={<Button onClick={() => go({ dialog: "add" })}>Add stock</Button>}>
        {explanation}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={sought === "" ? "No stocks match these filters" : `No stocks match “${sought}”`}
      actions={
        <>
          <Button onClick={onClear}>Clear {narrowedBy}</Button>
          {sought !== "" && (
            <Button tone="primary" onClick={() => go({ dialog: "add", draft: sought })}>
              Add “{sought}”
            </Button>
          )}
        </>
      }
    >
      {sought !== "" && "Search covers symbol, name, ISIN, market, sector and tags."}
    </EmptyState>
  );
};

const HINT_KEY = "tally.agent-hint";

const QUESTION = "What do I own?";

/** Says once, after the first stock, that the agent can be asked about the list. Does nothing for a list that is still empty. */
const hintAtAgent = (hasStocks: boolean): void => {
  if (!hasStocks || localStorage.getItem(HINT_KEY) !== null) return;
  try {
    localStorage.setItem(HINT_KEY, "said");
  } catch {
    // The storage is full, so the hint may be shown again.
  }
  showToast({
    text: "You have started your list. The agent can answer questions about it, and asks before it changes anything.",
    action: { label: "Ask what I own", run: () => askAgent(QUESTION) },
  });
};
