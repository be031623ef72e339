/** One thread: its transcript above, the composer below. */
import { useMemo, useRef } from "preact/hooks";
import { useModelChoice } from "../models/use-model-choice.ts";
import { useScreenLink } from "../use-screen-link.ts";
import { Composer } from "./composer.tsx";
import { ConversationContext } from "./conversation-context.ts";
import { sendTurn } from "./send-turn.ts";
import { Transcript } from "./transcript.tsx";
import { useThread } from "./use-thread.ts";

type ConversationProps = {
  readonly threadId: string;
  /** Nobody has written in it yet: there is nothing to read. */
  readonly isNew: boolean;
  /** Called when a message of this thread has been taken. */
  readonly onSent?: () => void;
};

/** Give it the thread's id as key. */
export const Conversation = ({ threadId, isNew, onSent }: ConversationProps) => {
  useScreenLink();
  const { thread, snapshot } = useThread(threadId, isNew);
  const chatModel = useModelChoice(threadId, isNew);
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef({ onSent, chatModel });
  latest.current = { onSent, chatModel };
  const sendPrompt = async (prompt: string, key: string): Promise<void> => {
    const { choice, onRefused } = latest.current.chatModel;
    try {
      await sendTurn(threadId, prompt, { key, choice });
    } catch (error) {
      onRefused(error);
      throw error;
    }
  };
  const links = useMemo(
    () => ({
      threadId,
      send: async (prompt: string) => {
        await sendPrompt(prompt, crypto.randomUUID());
        latest.current.onSent?.();
      },
      giveFocusBack: () => {
        // Where a finger is the pointer, the composer would bring up the keyboard unasked.
        const place = matchMedia("(pointer: coarse)").matches ? ".log" : ".composer textarea";
        root.current?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
      },
    }),
    [threadId],
  );
  return (
    <ConversationContext.Provider value={links}>
      <div class="conversation" ref={root}>
        <Transcript thread={thread} snapshot={snapshot} isNew={isNew} />
        <Composer
          threadId={threadId}
          liveRuns={thread.liveRuns}
          lastModel={snapshot.runs.findLast(({ transcript }) => transcript.model !== undefined)?.transcript.model}
          chatModel={chatModel}
          sendPrompt={sendPrompt}
          onSent={() => onSent?.()}
        />
      </div>
    </ConversationContext.Provider>
  );
};
