/** The code that is wanted once before a browser allows its first command. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CODE_LENGTH, readCode } from "../../account/sign-in/explain-sign-in.ts";
import { ApiError } from "../../api/api-error.ts";
import { requestJson } from "../../api/request-json.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { explainProblem } from "../conversation/explain-problem.ts";

/** Whether the server wants a code, which it has mailed, before this browser may allow its first command. */
export const wantsFreshCode = (error: unknown): boolean => error instanceof ApiError && error.code === "fresh_code";

/** Calls `onEntered` once the code was right, so that the answer can be sent again. */
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
        hint="Needed once in this browser, before the first command."
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
        {isBusy ? "Sending…" : "Continue"}
      </Button>
    </form>
  );
};
