/** The box at the bottom of a conversation: write to the agent, choose its model, stop it. */
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { isComposing } from "../../state/key-events.ts";
import type { ChatModel } from "../model/use-model-choice.ts";
import { isAnswer } from "../permission/use-stillness.ts";
import { type ThreadRun, takesMessages } from "../stream/thread-run.ts";
import { ComposerAbout, PlanButton, placeholderOf, queuePlaceholder, WorkspaceName } from "./composer-about.tsx";
import { type EditedMessage, useFocusBack } from "./conversation-context.ts";
import { explainProblem } from "./explain-problem.ts";
import { findSteer } from "./kept-thread.ts";
import { steerRun } from "./lead/lead-requests.ts";
import { useAskedText, useEdit, useTakenBack, useUnusedText } from "./lead/use-lead-texts.ts";
import { abortRun } from "./run/run-requests.ts";
import { type SendPrompt, useComposer } from "./use-composer.ts";

/** Says "Stopping…" from the press until the run has ended. */
const StopButton = ({ run: { runId, transcript } }: { readonly run: ThreadRun }) => {
  const [stopped, setStopped] = useState<string>();
  const holder = useFocusBack<HTMLSpanElement>();
  const isStopping = stopped === runId || transcript.status === "aborting";
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(
    () => () => {
      changedAt.current = performance.now();
    },
    [runId],
  );
  const stop = async (detail: number): Promise<void> => {
    // If a queued run has just taken the place of the run before it, the press was meant for the run before.
    if (isStopping || !isAnswer({ detail, stillMs: performance.now() - changedAt.current })) return;
    setStopped(runId);
    await abortRun(runId).catch((error: unknown) => {
      setStopped(undefined);
      showToast({ text: explainProblem(error), tone: "bad" });
    });
  };
  return (
    <span ref={holder}>
      <Button
        isSmall
        icon={IconPlayerStopFilled}
        aria-disabled={isStopping}
        onClick={({ detail }) => void stop(detail)}
      >
        {isStopping ? "Stopping…" : "Stop"}
      </Button>
    </span>
  );
};

type ComposerProps = {
  readonly threadId: string;
  /** The list of chats is shown in its place. */
  readonly isHidden: boolean;
  /** Those that are shown. */
  readonly runs: readonly ThreadRun[];
  readonly liveRuns: readonly ThreadRun[];
  /** The model that answered last. */
  readonly lastModel: string | undefined;
  readonly chatModel: ChatModel;
  readonly sendPrompt: SendPrompt;
  /** The message that somebody wanted to change last. */
  readonly edited: EditedMessage | undefined;
  readonly onSent: () => void;
};

/** Enter sends, Shift+Enter starts a new line. While the agent works, a message is queued; Control+Enter gives it to the run at work. */
export const Composer = (props: ComposerProps) => {
  const { threadId, isHidden, runs, liveRuns, lastModel, chatModel, sendPrompt, edited, onSent } = props;
  const sendToRun =
    (runId: string): SendPrompt =>
    async (prompt, options) => {
      const messageId = await steerRun(runId, prompt, options.key);
      // If the run has ended meanwhile, the message starts a new turn, even if the response to the first send was lost.
      const isTaken = messageId !== undefined && findSteer(threadId, runId, messageId)?.state !== "unused";
      if (!isTaken) await sendPrompt(prompt, options);
    };
  const composer = useComposer(threadId, { isHidden, sendPrompt, sendToRun, onSent });
  const { text, setText, isPlan, setPlan, edit, leaveEdit, isSending, isDoubtful, problem, overLimit, send } = composer;
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useOwnId();
  useGrowth(area, text);
  useAskedText(area, threadId, text, setText);
  useUnusedText(threadId);
  useEdit(area, edited, composer);
  useTakenBack(runs, composer);
  const running = liveRuns[0];
  // A message to a live run cannot ask for a plan first.
  const canSendNow = running !== undefined && edit === undefined && !isPlan && takesMessages(running);
  const canSend = !isSending && text.trim() !== "" && overLimit === 0;
  const says = overLimit > 0 ? `The message is ${overLimit.toLocaleString(LOCALE)} characters too long.` : problem;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {edit && (
        <div class="inline-banner">
          <p>
            {edit.isRewound
              ? `Your earlier message and what followed it have been taken back. This ${isDoubtful ? "may not have" : "has not"} been sent.`
              : "Sending this replaces your earlier message and what followed it."}
          </p>
          <Button
            isSmall
            aria-disabled={isSending}
            onClick={() => {
              if (isSending) return;
              leaveEdit();
              area.current?.focus();
            }}
          >
            {edit.isRewound ? "Discard" : "Keep it as it was"}
          </Button>
        </div>
      )}
      {says && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {says}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for a field that the keyboard reaches anyway. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      <div
        class="composer-box"
        onClick={(event) => {
          if (event.target === event.currentTarget) area.current?.focus();
        }}
      >
        <textarea
          ref={area}
          dir="auto"
          rows={1}
          aria-label="Message to the agent"
          placeholder={running ? queuePlaceholder(running) : placeholderOf(chatModel.workspaceDir)}
          enterkeyhint="send"
          value={text}
          readOnly={isSending}
          {...(says ? { "aria-describedby": `${id}-problem`, "aria-invalid": "true" as const } : {})}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            // A key that is held down was pressed for something else, such as a card that then gave the focus back.
            if (event.repeat) return;
            void send(canSendNow && (event.ctrlKey || event.metaKey) ? running.runId : undefined);
          }}
        />
        <div class="composer-row">
          <WorkspaceName dir={chatModel.workspaceDir} />
          <ComposerAbout chatModel={chatModel} lastModel={lastModel} waiting={liveRuns.length - 1} />
          {/* Buttons that come and go are placed before those that stay, so that nothing slides under a pointer. */}
          {canSendNow && text.trim() !== "" && (
            <Button
              isSmall
              aria-keyshortcuts="Control+Enter"
              aria-disabled={!canSend}
              onClick={() => void send(running.runId)}
            >
              Send now
            </Button>
          )}
          {running && <StopButton run={running} />}
          <PlanButton
            isPlan={isPlan}
            onChange={(next) => {
              if (!isSending) setPlan(next);
            }}
          />
          <Button
            type="submit"
            tone="primary"
            icon={IconArrowUp}
            label={isSending ? "Sending" : running ? "Queue" : "Send"}
            aria-disabled={!canSend}
          />
        </div>
      </div>
    </form>
  );
};

/** Makes the field grow with its text in browsers without `field-sizing`. */
const useGrowth = (area: { readonly current: HTMLTextAreaElement | null }, text: string): void => {
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    // A hidden field has a scroll height of 0.
    if (element.scrollHeight > 0) element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
};
