/** A field with its button: one word or address, sent at once. */
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { useAttempt } from "./use-attempt.ts";

type OneLineFormProps = {
  readonly label: string;
  readonly action: string;
  readonly type: "text" | "email";
  /** Takes what was typed, trimmed and not empty; the field is emptied when it went well. */
  readonly onSend: (typed: string) => Promise<unknown>;
};

/** Never sent by the browser itself, and not part of a form around it: the dialog has its own. */
export const OneLineForm = ({ label, action, type, onSend }: OneLineFormProps) => {
  const [text, setText] = useState("");
  const { isBusy, problem, attempt } = useAttempt();
  const send = async (): Promise<void> => {
    const typed = text.trim();
    if (typed === "" || !(await attempt(() => onSend(typed)))) return;
    // What was typed meanwhile is the next one.
    setText((now) => (now === text ? "" : now));
  };
  return (
    <form
      class="one-line"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={label} problem={problem}>
        {(control) => (
          <input
            {...control}
            class="input"
            type={type}
            inputMode={type}
            autoComplete="off"
            autoCapitalize={type === "email" ? "none" : "words"}
            maxLength={type === "email" ? 254 : 80}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" aria-disabled={isBusy || text.trim() === ""}>
        {action}
      </Button>
      {problem && (
        <p class="vh" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
};
