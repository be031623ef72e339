/** A question of the agent: what it wants to do, and the answers it can get. */
import { IconShieldExclamation } from "@tabler/icons-preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionSubject } from "../../../contract/permission.ts";
import { ApiError } from "../../actions/api-error.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { UNFOLDS, useWholeView } from "../permission/use-whole-view.ts";
import type { PermissionState } from "../transcript-item.ts";
import { explainProblem } from "./explain-problem.ts";
import { FreshCodeForm, wantsFreshCode } from "./fresh-code-form.tsx";
import { PermissionAnswers } from "./permission-answers.tsx";
import { PermissionSubjectView } from "./permission-subject-view.tsx";
import { answerRequest, readWholeSubject } from "./run-requests.ts";
import { takesFocus } from "./takes-focus.ts";
import { useFocusBack } from "./use-focus-back.ts";

type PermissionCardProps = {
  readonly permission: PermissionState;
  readonly runId: string;
  readonly isLive: boolean;
};

/** Goes away when the run says that the request is answered, by whomever. */
export const PermissionCard = ({ permission, runId, isLive }: PermissionCardProps) => {
  const { requestId, title, subject, options, expiresAt, isTruncated } = permission;
  // A reject ends the run: nobody is left to read a note.
  const isBudget = subject.type === "budget";
  const latest = EXPIRY.format(new Date(expiresAt));
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
      // Somebody else was first: the run's own events say who, and take this card away.
      if (error instanceof ApiError && (error.status === 409 || error.status === 410)) return;
      setSent(undefined);
      if (wantsFreshCode(error)) setHeld([decision, message]);
      else setProblem(explainProblem(error));
    }
  };
  const showWhole = (): Promise<void> =>
    readWholeSubject(runId, requestId).then(setWhole, (error: unknown) => setProblem(explainProblem(error)));

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot take the focus in all browsers.
    <div ref={card} class="ask" role="group" aria-labelledby={titleId} tabIndex={-1}>
      <h3 id={titleId}>
        <IconShieldExclamation size={18} stroke={1.75} aria-hidden="true" />
        <span>
          <ForeignText text={title} isCode />?
        </span>
      </h3>
      <div class="asked" ref={asked}>
        {/* By key: of what takes the place of a cut one nothing has been in view. */}
        <PermissionSubjectView key={whole === undefined ? "sent" : "whole"} subject={whole ?? subject} />
        {isTruncated && whole === undefined && (
          <Button isSmall {...UNFOLDS} onClick={() => void showWhole()}>
            Show whole
          </Button>
        )}
      </div>
      <PermissionAnswers
        options={options}
        hasNote={!isBudget}
        isSeen={isSeen}
        sent={sent}
        onAnswer={(decision, words) => void answer(decision, words)}
        onShowRest={showRest}
      />
      {held && <FreshCodeForm onEntered={() => void answer(...held)} />}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="hint">
        {isBudget
          ? `It waits for your answer until ${latest}, then it stops.`
          : `Nothing happens until you answer, at the latest ${latest}.`}
      </p>
    </div>
  );
};

const EXPIRY = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
