/** The model could not be reached and is asked again. */
import { useEffect, useState } from "preact/hooks";
import type { FailureCode } from "../../../contract/run.ts";
import type { RetryItem } from "../transcript-item.ts";

const REASONS: Readonly<Partial<Record<FailureCode, string>>> = {
  model_rate_limited: "the model gets too many requests",
  model_overloaded: "the model is overloaded",
  model_unavailable: "the model cannot be reached",
  model_timeout: "the model stayed silent",
  worker_restarted: "the server restarted",
};

/** Counts down while it waits; afterwards it says that there was a wait. */
export const RetryNotice = ({ item: { reason, delayMs, isWaiting } }: { readonly item: RetryItem }) => {
  const because = REASONS[reason] ?? "of a passing problem";
  if (!isWaiting) return <p class="notice">Tried again, because {because}.</p>;
  return (
    <p class="notice warn">
      Trying again in <Countdown ms={delayMs} />, because {because}.
    </p>
  );
};

/** From when it is first shown: the server's clock is another one. */
const Countdown = ({ ms }: { readonly ms: number }) => {
  const [left, setLeft] = useState(Math.ceil(ms / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="num">{left} s</span>;
};
