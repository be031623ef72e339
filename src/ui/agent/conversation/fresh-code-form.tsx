/** The code that a browser enters before it allows its first command: the server has mailed it and refused until then. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CODE_LENGTH, readCode } from "../../account/read-code.ts";
import { ApiError } from "../../actions/api-error.ts";
import { requestJson } from "../../actions/request-json.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { explainProblem } from "./explain-problem.ts";

/** Whether the server wants that code before it takes an answer. */
export const wantsFreshCode = (error: unknown): boolean => error instanceof ApiError && error.code === "fresh_code";

/** `onEntered`: the code was right, and the answer can be given again. */
export const FreshCodeForm = ({ onEntered }: { readonly onEntered: () => void }) => {
  const [code, setCode] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const send = async (): Promise<void> => {
    if (isBusy || code.length < CODE_LENGTH) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await requestJson("/_framework/auth/fresh-code", { method: "POST", body: { code } });
      onEntered();
    } catch (error) {
      setProblem(explainProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field
        label="Enter the code we sent you"
        hint="Once for this browser, before its first command."
        problem={problem}
      >
        {(control) => (
          <input
            {...control}
            ref={field}
            class="input code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellcheck={false}
            value={code}
            onInput={({ currentTarget }) => {
              currentTarget.value = readCode(currentTarget.value);
              setCode(currentTarget.value);
            }}
          />
        )}
      </Field>
      <Button tone="primary" type="submit" aria-disabled={isBusy || code.length < CODE_LENGTH}>
        {isBusy ? "Sending…" : "Go on"}
      </Button>
    </form>
  );
};
