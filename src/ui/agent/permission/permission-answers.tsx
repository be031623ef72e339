/** The buttons of a permission request: the two answers first, then what is chosen more seldom, and a note for a reject. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PermissionDecision, PermissionOption } from "../../../contract/permission.ts";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { keptState } from "../../state/kept-state.ts";
import { isComposing } from "../../state/key-events.ts";
import { ForeignText } from "./foreign-text.tsx";
import { isAnswer, useStillness } from "./use-stillness.ts";

/** UTF-16 units (api.md §2: the model reads it). */
const MAX_MESSAGE_LENGTH = 4_000;

type PermissionAnswersProps = {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  /** Whether the model can be told why it was rejected: not at all, by a button of its own, or before each reject. */
  readonly note: "none" | "extra" | "first";
  /** The whole request has been in view. */
  readonly isSeen: boolean;
  /** What was answered here, until the run confirms it. */
  readonly sent: PermissionDecision | undefined;
  readonly onAnswer: (decision: PermissionDecision, message: string) => void;
  /** Scrolls to what has not been in view. */
  readonly onShowRest: () => void;
};

/** The keys of the answers. `Enter` allows, just as it sends a message from its field. */
const KEYS: AnswerKeys = { allow_once: ["Enter", "↵"], reject: ["Backspace", "⌫"] };

/** The keys while a note is written: `Enter` sends it, because it is a field too. */
const NOTE_KEYS: AnswerKeys = { reject: ["Enter", "↵"] };

type AnswerKeys = Readonly<Partial<Record<PermissionDecision, readonly [key: string, shown: string]>>>;

const IS_MAC = /Mac/.test(navigator.platform);

const keyProps = ([key, shown]: readonly [key?: string, shown?: string] = []) => {
  if (key === undefined) return {};
  return {
    "data-answers": key,
    "data-keys": `${IS_MAC ? "⌘" : "Ctrl "}${shown}`,
    "aria-keyshortcuts": `Control+${key} Meta+${key}`,
  };
};

/** Presses the answer whose key was pressed with Control or Command. The key alone could be meant for a message. */
export const answerByKey = (event: JSX.TargetedKeyboardEvent<HTMLElement>): void => {
  const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (!(event.ctrlKey || event.metaKey) || isField) return;
  const button = event.currentTarget.querySelector<HTMLButtonElement>(`[data-answers="${CSS.escape(event.key)}"]`);
  if (button === null) return;
  event.preventDefault();
  if (!event.repeat) button.click();
};

/** The reject button's label while its note is written. For a plan it asks for another one. */
const NOTED = { none: "Reject", extra: "Reject with this note", first: "Ask for another plan" } as const;

const useNote = keptState<string>();

/** "Reject" answers at once, unless `note` is "first". `data-notes` marks the button that first asks for a note to the model. */
export const PermissionAnswers = (props: PermissionAnswersProps) => {
  const { requestId, options, note: noting, isSeen, sent, onAnswer, onShowRest } = props;
  const [message, setMessage] = useNote(requestId, "");
  const [isNoting, setNoting] = useState(message !== "");
  const id = useOwnId();
  const whyId = useOwnId();
  const note = useRef<HTMLTextAreaElement>(null);
  const answers = useRef<HTMLDivElement>(null);
  const [isRuleShown, setRuleShown] = useState(false);
  const rule = options.find(({ decision }) => decision === "allow_always");
  const once = options.find(({ decision }) => decision === "allow_once");
  const canNote = noting === "extra" && !isNoting && sent === undefined;
  // A button that has just become active, or that the note has moved, counts as new, like a card that has just appeared.
  const allowing = useStillness(answers, `${isSeen} ${isNoting} ${isRuleShown} ${options.length}`);
  // Rejecting does not depend on what has been in view, so a press must not be swallowed at the moment when all of it has.
  const rejecting = useStillness(answers, `${isNoting} ${isRuleShown} ${options.length}`);
  const notesFirst = noting === "first" && !isNoting;
  const stillnessOf = (decision: PermissionDecision) => (decision === "reject" ? rejecting : allowing);
  const wasNoting = useRef(isNoting);
  useLayoutEffect(() => {
    if (isNoting === wasNoting.current) return;
    wasNoting.current = isNoting;
    if (isNoting) note.current?.focus();
    else answers.current?.querySelector<HTMLElement>("[data-notes]")?.focus();
  }, [isNoting]);
  const answer = (decision: PermissionDecision): void => {
    if (sent === undefined) onAnswer(decision, isNoting ? message : "");
  };
  const press = (decision: PermissionDecision, { detail }: MouseEvent): void => {
    if (!isAnswer({ detail, stillMs: stillnessOf(decision).stillMs() })) return;
    if (decision === "reject" && notesFirst) setNoting(true);
    else if (decision === "reject" || isSeen) answer(decision);
    else onShowRest();
  };
  const answerButton = ({ decision, label }: PermissionOption) => (
    <Button
      key={decision}
      {...(decision === (isNoting ? "reject" : "allow_once") ? { tone: "primary" } : {})}
      {...keyProps((isNoting ? NOTE_KEYS : KEYS)[decision])}
      data-notes={decision === "reject" && notesFirst ? "" : undefined}
      aria-disabled={sent !== undefined || !stillnessOf(decision).isStill || (decision !== "reject" && !isSeen)}
      aria-describedby={decision === "reject" || isSeen ? undefined : whyId}
      onClick={(event) => press(decision, event)}
    >
      {sent === decision ? (
        "Sending…"
      ) : isNoting && decision === "reject" ? (
        NOTED[noting]
      ) : (
        <ForeignText text={label} isCode />
      )}
    </Button>
  );
  return (
    <>
      {isNoting && (
        <div class="field">
          <label for={id}>What should it do instead? (optional)</label>
          <textarea
            ref={note}
            id={id}
            class="input"
            rows={2}
            enterkeyhint="send"
            maxLength={MAX_MESSAGE_LENGTH}
            value={message}
            onInput={({ currentTarget }) => setMessage(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
              event.preventDefault();
              // An Enter that is still held down from opening the note must not send it.
              if (!event.repeat) answer("reject");
            }}
          />
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps held-down keys from pressing its buttons. */}
      <div
        class="answers"
        ref={answers}
        onKeyDown={(event) => {
          if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
        }}
      >
        <div class="first">{options.filter(({ decision }) => decision !== "allow_always").map(answerButton)}</div>
        {(rule !== undefined || canNote || isNoting) && (
          <div class="more">
            {rule !== undefined && (
              <Button tone="ghost" isSmall aria-expanded={isRuleShown} onClick={() => setRuleShown(!isRuleShown)}>
                Always…
              </Button>
            )}
            {canNote && (
              <Button
                tone="ghost"
                isSmall
                data-notes=""
                aria-disabled={!rejecting.isStill}
                onClick={({ detail }) => isAnswer({ detail, stillMs: rejecting.stillMs() }) && setNoting(true)}
              >
                Reject with a note
              </Button>
            )}
            {isNoting && sent === undefined && (
              <Button tone="ghost" isSmall onClick={() => setNoting(false)}>
                Back
              </Button>
            )}
          </div>
        )}
        {rule !== undefined && isRuleShown && answerButton(rule)}
      </div>
      {!isSeen && once && (
        <p class="hint" id={whyId}>
          Read all of it before you allow it. “<ForeignText text={once.label} isCode />” takes you to the rest.
        </p>
      )}
    </>
  );
};
