/** Where the person writes to the agent, and stops it. */
import { IconArrowUp } from "@tabler/icons-preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { useStore } from "../../state/use-store.ts";
import { askedText } from "../ask-agent.ts";
import { isChoice } from "../models/model-choice.ts";
import { ModelPicker } from "../models/model-picker.tsx";
import type { ChatModel } from "../models/use-model-choice.ts";
import type { ThreadRun } from "../thread-run.ts";
import { StopButton } from "./stop-button.tsx";
import { useComposer } from "./use-composer.ts";

type ComposerProps = {
  readonly threadId: string;
  readonly liveRuns: readonly ThreadRun[];
  /** The one that has answered last. */
  readonly lastModel: string | undefined;
  readonly chatModel: ChatModel;
  readonly sendPrompt: (prompt: string, key: string) => Promise<void>;
  readonly onSent: () => void;
};

/** Enter sends, Shift+Enter breaks the line. A message sent while the agent works waits its turn. */
export const Composer = ({ threadId, liveRuns, lastModel, chatModel, sendPrompt, onSent }: ComposerProps) => {
  const { text, setText, isSending, problem, overLimit, send } = useComposer(threadId, { sendPrompt, onSent });
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useOwnId();
  useGrowth(area, text);
  useAskedText(area, text, setText);
  const running = liveRuns[0];
  const says = overLimit > 0 ? `Shorten it by ${overLimit.toLocaleString()} characters to send it.` : problem;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {says && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {says}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for what the keyboard reaches anyway. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      <div
        class="composer-box"
        onClick={(event) => {
          if (event.target === event.currentTarget) area.current?.focus();
        }}
      >
        <textarea
          ref={area}
          rows={1}
          aria-label="Message to the agent"
          placeholder={running ? "Say what comes next…" : "Ask about your stocks…"}
          enterkeyhint="send"
          value={text}
          readOnly={isSending}
          {...(says ? { "aria-describedby": `${id}-problem`, "aria-invalid": "true" as const } : {})}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            // 229: Safari ends a composition before it tells of the Enter that ended it.
            if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            void send();
          }}
        />
        <div class="composer-row">
          <ComposerAbout chatModel={chatModel} lastModel={lastModel} waiting={liveRuns.length - 1} />
          {running && <StopButton run={running} />}
          <Button
            type="submit"
            tone="primary"
            icon={IconArrowUp}
            label={isSending ? "Sending" : "Send"}
            aria-disabled={isSending || text.trim() === "" || overLimit > 0}
          />
        </div>
      </div>
    </form>
  );
};

type ComposerAboutProps = Pick<ComposerProps, "chatModel" | "lastModel"> & { readonly waiting: number };

/** What the next message goes to: a choice, or words where there is none. */
const ComposerAbout = ({ chatModel: { models, isPending, choice, pick }, lastModel, waiting }: ComposerAboutProps) => {
  const queue = waiting > 0 ? `${waiting} waiting` : undefined;
  if (models !== undefined && isChoice(models)) {
    return (
      <>
        <ModelPicker models={models} choice={choice} onPick={pick} />
        {queue && <span class="about">{queue}</span>}
      </>
    );
  }
  const words = lastModel === undefined ? "Asks before it changes anything" : `${lastModel} · asks before changes`;
  return <span class="about">{queue ?? (isPending ? "" : words)}</span>;
};

/** Grows with its text where the browser does not do that by itself. */
const useGrowth = (area: { readonly current: HTMLTextAreaElement | null }, text: string): void => {
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
};

/** Takes in what another part of the app wants to ask. */
const useAskedText = (
  area: { readonly current: HTMLTextAreaElement | null },
  text: string,
  setText: (text: string) => void,
): void => {
  const asked = useStore(askedText);
  useLayoutEffect(() => {
    if (asked === undefined) return;
    askedText.set(undefined);
    setText(text.trim() === "" ? asked : `${text.trimEnd()}\n${asked}`);
    // The text goes in with the next render; the caret belongs behind it.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
    });
  }, [asked]);
};
