/** A message to a run while it works. It first appears after everything so far, and later moves to before the answer that reads it. */
import { useContext } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import { askedText } from "../../../state/agent-panel.ts";
import type { SteerItem } from "../../stream/transcript-item.ts";
import { ConversationContext } from "../conversation-context.ts";

const STATES = {
  waiting: "Will be delivered after this step",
  given: "Delivered",
  unused: "Not delivered: the agent stopped first",
} as const;

const AFTER_ANSWER = "The agent reads it after your answer above.";

type SteerViewProps = {
  readonly item: SteerItem;
  /** The run waits for the person's answer, which ends the step. */
  readonly isAsking: boolean;
};

/** The text, and what became of it. */
export const SteerView = ({ item: { text, state }, isAsking }: SteerViewProps) => {
  const { giveFocusBack } = useContext(ConversationContext);
  const writeAgain = (): void => {
    askedText.set({ text });
    giveFocusBack();
  };
  return (
    <div class="me steer">
      <span class="vh">You added: </span>
      <p>{text}</p>
      <small>{state === "waiting" && isAsking ? AFTER_ANSWER : STATES[state]}</small>
      {state === "unused" && (
        <Button isSmall tone="ghost" onClick={writeAgain}>
          Use it again
        </Button>
      )}
    </div>
  );
};
