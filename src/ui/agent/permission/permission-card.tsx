/** A permission request: what the agent wants to do, and the buttons to answer it. */
import { type Icon, IconShieldCheck, IconShieldExclamation, IconShieldX } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionSubject } from "../../../contract/permission.ts";
import { ApiError } from "../../api/api-error.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { useFocusBack } from "../conversation/conversation-context.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { answerRequest, readWholeSubject } from "../conversation/run/run-requests.ts";
import type { PermissionReply, PermissionState } from "../stream/transcript-item.ts";
import { ForeignText, shownText } from "./foreign-text.tsx";
import { FreshCodeForm, wantsFreshCode } from "./fresh-code-form.tsx";
import { answerByKey, PermissionAnswers } from "./permission-answers.tsx";
import { PermissionSubjectView } from "./permission-subject.tsx";
import { requestTitle } from "./request-title.ts";
import { UNFOLDS, useWholeView } from "./use-whole-view.ts";

/** Whether somebody is writing in a conversation. */
export const isWriting = (): boolean => {
  const active = document.activeElement;
  return active instanceof HTMLTextAreaElement && active.value !== "" && active.closest(".conversation") !== null;
};

/** Whether an element may take the focus: only within its own conversation, and never from somebody who is writing. */
export const takesFocus = (element: HTMLElement | null): boolean => {
  const isWithin = element?.closest(".conversation")?.contains(document.activeElement) === true;
  return isWithin && !isWriting();
};

type PermissionCardProps = {
  readonly permission: PermissionState;
  readonly runId: string;
  readonly isLive: boolean;
  /** Says what kind of thing is asked for. */
  readonly icon?: Icon;
  /** What the call was given, folded, for people to whom the words above are not enough. */
  readonly details?: ComponentChildren;
};

/** Takes the place of its call, and disappears when the run reports an answer, whoever gave it. */
export const PermissionCard = (props: PermissionCardProps) => {
  const { permission, runId, isLive, icon: AskedIcon = IconShieldExclamation, details } = props;
  const { requestId, subject, options, expiresAt, isTruncated } = permission;
  // Rejecting more budget ends the run, so nobody would read a note.
  const isBudget = subject.type === "budget";
  const title = requestTitle(permission);
  const expiry = EXPIRY.format(new Date(expiresAt));
  const card = useFocusBack<HTMLDivElement>();
  const asked = useRef<HTMLDivElement>(null);
  const { isWhole: isSeen, showRest } = useWholeView(asked);
  const titleId = useOwnId();
  const [whole, setWhole] = useState<PermissionSubject>();
  const [sent, setSent] = useState<PermissionDecision>();
  const [problem, setProblem] = useState<string>();
  const [held, setHeld] = useState<readonly [PermissionDecision, string]>();

  useLayoutEffect(() => {
    if (isLive && takesFocus(card.current)) card.current?.focus({ preventScroll: true });
  }, [isLive]);

  const answer = async (decision: PermissionDecision, message: string): Promise<void> => {
    setSent(decision);
    setProblem(undefined);
    setHeld(undefined);
    try {
      await answerRequest(runId, requestId, decision, message);
    } catch (error) {
      // Answered elsewhere first: the run's events say so and remove this card.
      if (error instanceof ApiError && (error.status === 409 || error.status === 410)) return;
      setSent(undefined);
      if (wantsFreshCode(error)) setHeld([decision, message]);
      else setProblem(explainProblem(error));
    }
  };
  /** Sends the held answer again, which makes the server mail another code, once the last is a minute old. */
  const sendCode = async (): Promise<void> => {
    if (held === undefined) return;
    await answerRequest(runId, requestId, ...held).catch((error: unknown) => {
      const isAnswered = error instanceof ApiError && (error.status === 409 || error.status === 410);
      if (!isAnswered && !wantsFreshCode(error)) throw error;
    });
  };
  const showWhole = (): Promise<void> =>
    readWholeSubject(runId, requestId).then(setWhole, (error: unknown) => setProblem(explainProblem(error)));

  const isCut = isTruncated && whole === undefined;
  // The box below shows all of a command, so the title does not repeat it. The card's name for screen readers still does.
  const isCommand = subject.type === "command";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot take the focus in all browsers.
    <div
      ref={card}
      id={`request-${requestId}`}
      class="ask"
      role="group"
      {...(isCommand ? { "aria-label": `${shownText(title)}?` } : { "aria-labelledby": titleId })}
      tabIndex={-1}
      onKeyDown={answerByKey}
    >
      <div class="asked" ref={asked}>
        {/* A stock or a path that the title names is not said again below it. */}
        <h3 id={titleId}>
          <AskedIcon size={18} stroke={1.75} aria-hidden="true" />
          <span>{isCommand ? "Run this command" : <ForeignText text={title} isCode />}?</span>
        </h3>
        {/* The key makes the whole subject a new part: none of it has been in view. */}
        <PermissionSubjectView
          key={whole === undefined ? "sent" : "whole"}
          subject={whole ?? subject}
          title={title}
          isTruncated={isCut}
        />
        {isCut && (
          <Button isSmall {...UNFOLDS} onClick={() => void showWhole()}>
            Show in full
          </Button>
        )}
      </div>
      {held && <FreshCodeForm onEntered={() => void answer(...held)} sendCode={sendCode} />}
      <PermissionAnswers
        requestId={requestId}
        // What was allowed waits for its code; it can still be rejected.
        options={held ? options.filter(({ decision }) => decision === "reject") : options}
        note={isBudget ? "none" : subject.type === "plan" ? "first" : "extra"}
        isSeen={isSeen}
        sent={sent}
        onAnswer={(decision, words) => void answer(decision, words)}
        onShowRest={showRest}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="hint">{isBudget ? `Waiting for you. Stops ${expiry}.` : `Waiting for you. Expires ${expiry}.`}</p>
      {details}
    </div>
  );
};

export const EXPIRY = new Intl.DateTimeFormat(WORDS_LOCALE, { weekday: "short", hour: "numeric", minute: "2-digit" });

/** The sentence for a reply. */
export const outcomeWords = ({ decision, by }: Pick<PermissionReply, "decision" | "by">): string => {
  switch (decision) {
    case "allow_once":
      return "You allowed this once.";
    case "allow_always":
      return by === "rule" ? "Always allowed in this chat." : "You allowed this for the rest of this chat.";
    case "reject":
      return "You rejected this.";
    case "expired":
      return "Nobody answered in time, so it was not done.";
    case "aborted":
      return "Stopped before you answered, so it was not done.";
  }
};

type PermissionOutcomeProps = { readonly reply: PermissionReply; readonly words?: string };

/** One line that replaces the card once it is answered. */
export const PermissionOutcome = ({ reply, words = outcomeWords(reply) }: PermissionOutcomeProps) => {
  const isAllowed = reply.decision === "allow_once" || reply.decision === "allow_always";
  const OutcomeIcon = isAllowed ? IconShieldCheck : IconShieldX;
  return (
    <p class="outcome">
      <OutcomeIcon size={16} stroke={1.75} aria-hidden="true" />
      <span>
        {words}
        {reply.message !== undefined && (
          <q>
            <bdi>{reply.message}</bdi>
          </q>
        )}
      </span>
    </p>
  );
};
