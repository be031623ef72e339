/** The three ways to begin, offered wherever there is nothing yet: type a stock, import, or look at an example. */
import { Button } from "../../parts/button.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { TryExample } from "./example-parts.tsx";
import styles from "./start-ways.css";

/** Requests to the agent that make sense on an empty list. */
export const FIRST_REQUESTS = ["Add 10 AAPL at 180", "Watch NVDA below 120", "What can you do here?"] as const;

type StartWaysProps = {
  /** Opens one of the dialogs of the list. */
  readonly onOpen: (dialog: "add" | "import") => void;
};

export const StartWays = ({ onOpen }: StartWaysProps) => {
  adoptStyles(styles);
  return (
    <ul class="start-ways">
      <li>
        <Button tone="primary" onClick={() => onOpen("add")}>
          Add a stock
        </Button>
        <span>A symbol is enough. The rest can wait.</span>
      </li>
      <li>
        <Button onClick={() => onOpen("import")}>Import a file</Button>
        <span>From Yahoo Finance, Wealthfolio, any CSV, or rows of a spreadsheet.</span>
      </li>
      <li>
        <TryExample />
        <span>Just to look around. One click removes it.</span>
      </li>
    </ul>
  );
};
