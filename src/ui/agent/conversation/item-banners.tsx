/** What happened between a run's messages: earlier ones were summarized, or the model could not be reached and is asked again. */
import { IconChevronRight } from "@tabler/icons-preact";
import { useEffect, useState } from "preact/hooks";
import type { FailureCode } from "../../../contract/run.ts";
import { formatTokens } from "../../format/format-usage.ts";
import type { RetryItem, SummaryItem } from "../stream/transcript-item.ts";
import { useMarkdown } from "./use-markdown.ts";

/**
 * Marks where a summary replaces earlier messages for the model. Starts folded; the model wrote the summary, so it is as untrusted as its
 * answers.
 */
export const SummaryView = ({ item: { summary, tokensBefore, tokensAfter } }: { readonly item: SummaryItem }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="tool-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <IconChevronRight class="fold" size={18} stroke={1.75} aria-hidden="true" />
        <span class="name">Earlier messages were summarized</span>
        <span class="took">
          {formatTokens(tokensBefore)}
          <span aria-hidden="true"> → </span>
          <span class="vh"> became </span>
          {formatTokens(tokensAfter)} tokens
        </span>
      </summary>
      {isOpen && <SummaryText text={summary} />}
    </details>
  );
};

const SummaryText = ({ text }: { readonly text: string }) => {
  const Markdown = useMarkdown()?.default;
  return (
    <div class="tool-body">
      <h3>What the model sees instead</h3>
      {Markdown ? <Markdown text={text} isOpen={false} /> : <p class="plain">{text}</p>}
    </div>
  );
};

/** What is wrong, while waiting and afterwards. */
const REASONS: Readonly<Partial<Record<FailureCode, readonly [now: string, then: string]>>> = {
  model_rate_limited: ["The model is getting too many requests", "The model was getting too many requests"],
  model_overloaded: ["The model is busy", "The model was busy"],
  model_unavailable: ["The model cannot be reached", "The model could not be reached"],
  model_timeout: ["The model did not respond", "The model did not respond"],
  workspace_unavailable: ["The agent's host cannot be reached", "The agent's host could not be reached"],
  worker_restarted: ["The server restarted", "The server restarted"],
};

const UNKNOWN_REASON = ["Something went wrong", "Something went wrong"] as const;

/** Most retries of one call: the number of waits in `harness/anthropic/call-model.ts` and `harness/agent-sdk/run-turn.ts`. */
const MAX_RETRIES = 3;

/** Counts the seconds down while it waits, and stays as a record afterwards. */
export const RetryBanner = ({ item: { reason, attempt, delayMs, isWaiting } }: { readonly item: RetryItem }) => {
  const [now, then] = REASONS[reason] ?? UNKNOWN_REASON;
  const retry = `${attempt} of ${MAX_RETRIES}`;
  if (!isWaiting) {
    return (
      <p class="inline-banner">
        {then}. Retried ({retry}).
      </p>
    );
  }
  return (
    <p class="inline-banner warn">
      {now}. Retrying ({retry})
      <Countdown ms={delayMs} />…
    </p>
  );
};

/** Counts from when it is first shown, because the server's clock may differ. Shows nothing at zero. */
const Countdown = ({ ms }: { readonly ms: number }) => {
  const [left, setLeft] = useState(Math.ceil(ms / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return left === 0 ? null : <span class="num"> in {left} s</span>;
};
