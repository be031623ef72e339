/** One thread: its transcript above, the composer below. */
import { useMemo, useRef } from "preact/hooks";
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
  const root = useRef<HTMLDivElement>(null);
  const sent = useRef(onSent);
  sent.current = onSent;
  const links = useMemo(
    () => ({
      threadId,
      send: async (prompt: string) => {
        await sendTurn(threadId, prompt, crypto.randomUUID());
        sent.current?.();
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
          model={snapshot.runs.findLast(({ transcript }) => transcript.model !== undefined)?.transcript.model}
          onSent={() => onSent?.()}
        />
      </div>
    </ConversationContext.Provider>
  );
};
