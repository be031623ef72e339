/** What the person said. */
import { useState } from "preact/hooks";
import { cutText } from "../../../contract/cut-text.ts";
import { Button } from "../../parts/button.tsx";
import type { UserItem } from "../transcript-item.ts";
import { explainProblem } from "./explain-problem.ts";
import { readWholePrompt } from "./run-requests.ts";

/** A longer one is folded: it is the person's own, and they know it. */
const FOLD_LENGTH = 1_200;

/** A bubble at the end edge. */
export const UserMessage = ({ item, runId }: { readonly item: UserItem; readonly runId: string }) => {
  const [whole, setWhole] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isLong = item.isTruncated || item.text.length > FOLD_LENGTH;
  const text = isOpen ? (whole ?? item.text) : cutText(item.text, FOLD_LENGTH);
  const toggle = async (): Promise<void> => {
    setProblem(undefined);
    try {
      if (!isOpen && item.isTruncated && whole === undefined) setWhole(await readWholePrompt(runId));
      setOpen(!isOpen);
    } catch (error) {
      setProblem(explainProblem(error));
    }
  };
  return (
    <div class="me">
      <span class="vh">You: </span>
      <p>
        {text}
        {isLong && !isOpen && "…"}
      </p>
      {isLong && (
        <Button isSmall tone="ghost" aria-expanded={isOpen} onClick={() => void toggle()}>
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
};
