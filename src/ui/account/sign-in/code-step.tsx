import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/api-error.ts";
import { sayWait } from "../../format/wait-words.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { explainFailure } from "../explain-failure.ts";
import { enterAs } from "../person.ts";
import { signIn } from "./auth-requests.ts";
import { StepForm } from "./email-step.tsx";
import { CODE_LENGTH, readCode } from "./read-code.ts";
import { CODE_MS, forgetSentCode, readSentCode } from "./sent-code.ts";
import type { CodeSending } from "./use-code-sending.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";

/** How many wrong tries a code survives, as on the server. */
const MAX_TRIES = 5;

/** The server gives one message for every invalid code; this page can say more from what it has seen. */
const explainTry = (error: unknown, { sentAtMs, wrong }: Sent): string => {
  if (!(error instanceof ApiError) || error.status !== 400) return explainFailure(error);
  if (Date.now() - sentAtMs > CODE_MS) return "This code has expired. Send a new one.";
  if (wrong >= MAX_TRIES) return "Too many wrong attempts with this code. Send a new one.";
  return error.message;
};

/** What this page knows of the last code sent. */
type Sent = { sentAtMs: number; wrong: number };

const useCodeTry = (email: string) => {
  const [code, setCode] = useState("");
  const [isTrying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOnItsWay = useRef(false);
  const sent = useRef<Sent>({ sentAtMs: readSentCode()?.atMs ?? Date.now(), wrong: 0 });
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  const submit = async (typed: string): Promise<void> => {
    if (isOnItsWay.current) return;
    if (typed.length < CODE_LENGTH) {
      setProblem(`Enter all ${CODE_LENGTH} digits of the code.`);
      field.current?.focus();
      return;
    }
    isOnItsWay.current = true;
    setTrying(true);
    setProblem(undefined);
    try {
      const person = await signIn(email, typed);
      forgetSentCode();
      enterAs(person);
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 400;
      if (isWrong) sent.current.wrong += 1;
      setProblem(explainTry(error, sent.current));
      // Without a response, the same code is worth another try.
      if (isWrong) setCode("");
      field.current?.focus();
    }
    isOnItsWay.current = false;
    setTrying(false);
  };
  const type = (input: HTMLInputElement): void => {
    const typed = readCode(input.value);
    // Removes other characters even when the digits stay the same, because then nothing renders.
    input.value = typed;
    setCode(typed);
    setProblem(undefined);
    if (typed.length === CODE_LENGTH && typed !== code) void submit(typed);
  };
  /** A new code was sent: starts over. */
  const startOver = (): void => {
    sent.current = { sentAtMs: Date.now(), wrong: 0 };
    setCode("");
    setProblem(undefined);
  };
  return { field, code, type, submit, isTrying, problem, startOver };
};

type CodeStepProps = {
  readonly email: string;
  readonly sending: CodeSending;
  /** Returns to the first step. */
  readonly onBack: () => void;
};

/** The second step: the code from the mail. Six digits submit by themselves, typed, pasted or filled in by the phone. */
export const CodeStep = ({ email, sending, onBack }: CodeStepProps) => {
  const { field, code, type, submit, isTrying, problem: tryProblem, startOver } = useCodeTry(email);
  const waitS = useSecondsUntil(sending.readyAtMs);
  const problem = sending.problem ?? tryProblem;
  const sendAgain = async (): Promise<void> => {
    if (waitS > 0) return;
    if (await sending.send(email)) {
      startOver();
      announce(`A new code was sent to ${email}.`);
    }
    field.current?.focus();
  };
  return (
    <>
      <p class="muted">
        We sent a {CODE_LENGTH}-digit code to <b>{email}</b>. It is valid for 5 minutes.
      </p>
      <StepForm problem={problem} onSubmit={() => void submit(code)}>
        <Field label="Code" problem={problem}>
          {(control) => (
            <input
              {...control}
              ref={field}
              class="input code"
              type="text"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              spellcheck={false}
              readOnly={isTrying}
              value={code}
              onInput={({ currentTarget }) => {
                sending.setProblem(undefined);
                type(currentTarget);
              }}
            />
          )}
        </Field>
        <Button tone="primary" type="submit" aria-disabled={isTrying}>
          {isTrying ? "Signing in…" : "Sign in"}
        </Button>
        <div class="ways">
          <Button tone="ghost" aria-disabled={waitS > 0 || sending.isSending} onClick={() => void sendAgain()}>
            {waitS > 0 ? `New code in ${sayWait(waitS)}` : "Send a new code"}
          </Button>
          <Button tone="ghost" onClick={onBack}>
            Change email
          </Button>
        </div>
      </StepForm>
    </>
  );
};
