/** The code a person types, and the try to sign in by it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../actions/api-error.ts";
import { signIn } from "./auth-requests.ts";
import { explainSignIn } from "./explain-sign-in.ts";
import { enterAs } from "./person.ts";
import { CODE_LENGTH, readCode } from "./read-code.ts";

/** How long a code counts, and how many wrong ones may be tried before it does not, as the server has it. */
const CODE_MS = 5 * 60_000;
const MAX_TRIES = 5;

/** The server says the same of every code that does not count; the page knows what it has seen itself. */
const explainTry = (error: unknown, { sentAtMs, wrong }: Sent): string => {
  if (!(error instanceof ApiError) || error.status !== 400) return explainSignIn(error);
  if (Date.now() - sentAtMs > CODE_MS) return "This code has expired. Send a new one.";
  if (wrong >= MAX_TRIES) return "There were too many tries with this code. Send a new one.";
  return error.message;
};

/** The code that is in the mail, as far as this page knows it. */
type Sent = { sentAtMs: number; wrong: number };

/** For the step that has just been shown after a code was sent. */
export const useCodeTry = (email: string) => {
  const [code, setCode] = useState("");
  const [isTrying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOnItsWay = useRef(false);
  const sent = useRef<Sent>({ sentAtMs: Date.now(), wrong: 0 });
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  const submit = async (typed: string): Promise<void> => {
    if (isOnItsWay.current) return;
    if (typed.length < CODE_LENGTH) {
      setProblem(`Type all ${CODE_LENGTH} digits of the code.`);
      field.current?.focus();
      return;
    }
    isOnItsWay.current = true;
    setTrying(true);
    setProblem(undefined);
    try {
      enterAs(await signIn(email, typed));
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 400;
      if (isWrong) sent.current.wrong += 1;
      setProblem(explainTry(error, sent.current));
      // Without an answer the same code is worth another try.
      if (isWrong) setCode("");
      field.current?.focus();
    }
    isOnItsWay.current = false;
    setTrying(false);
  };
  const type = (input: HTMLInputElement): void => {
    const typed = readCode(input.value);
    // What is no digit must go even where the digits stay the same: then nothing renders.
    input.value = typed;
    setCode(typed);
    setProblem(undefined);
    if (typed.length === CODE_LENGTH && typed !== code) void submit(typed);
  };
  /** A new code is on its way: what was typed and tried counts no more. */
  const renew = (): void => {
    sent.current = { sentAtMs: Date.now(), wrong: 0 };
    setCode("");
    setProblem(undefined);
  };
  return { field, code, type, submit, isTrying, problem, renew };
};
