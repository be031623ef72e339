/** What a person sees who has no stocks yet. */
import { askAgent } from "../../agent/ask-agent.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";

/** Requests that work on an empty list. */
const EXAMPLES = ["Add 10 AAPL at 180", "Watch NVDA below 120", "What can you do here?"] as const;

/** Three ways to begin: by hand, from a file, by asking. */
export const FirstRun = () => {
  const { go } = useStocksPlace();
  return (
    <div class="first-run">
      <EmptyState
        title="Start your list"
        actions={
          <>
            <Button tone="primary" onClick={() => go({ dialog: "add" })}>
              Add a stock
            </Button>
            <Button onClick={() => go({ dialog: "import" })}>Import a file</Button>
          </>
        }
      >
        Add what you own or want to watch. A symbol is enough; everything else can come later.
      </EmptyState>
      <p id="ask-examples">Or ask the agent</p>
      <ul aria-labelledby="ask-examples">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <Button class="chip" onClick={() => askAgent(example)}>
              {example}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
};
