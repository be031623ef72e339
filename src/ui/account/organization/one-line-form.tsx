import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { useTask } from "../use-task.ts";

type OneLineFormProps = {
  readonly label: string;
  readonly action: string;
  readonly type: "text" | "email";
  /** Gets the trimmed text, never empty. The field is cleared when it succeeds. */
  readonly onSend: (typed: string) => Promise<unknown>;
};

/** A field and a button. The browser never submits it itself. */
export const OneLineForm = ({ label, action, type, onSend }: OneLineFormProps) => {
  const [text, setText] = useState("");
  const { isBusy, problem, runTask } = useTask();
  const send = async (): Promise<void> => {
    const typed = text.trim();
    if (typed === "" || !(await runTask(() => onSend(typed)))) return;
    // Keeps what was typed meanwhile.
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
