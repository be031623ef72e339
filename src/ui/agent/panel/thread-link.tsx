import type { ThreadView } from "../../../contract/thread.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { askingThreads } from "../../state/chats.ts";
import { useStore } from "../../state/store.ts";
import { ForeignText } from "../permission/foreign-text.tsx";

type ThreadLinkProps = {
  readonly thread: ThreadView;
  /** The text around what was searched for. */
  readonly match?: string;
  readonly isShown: boolean;
  readonly now: Date;
  readonly onPick: (threadId: string) => void;
};

/** A thread in a list. A badge marks one where the agent works, or asks. */
export const ThreadLink = ({ thread, match, isShown, now, onPick }: ThreadLinkProps) => {
  const { threadId, title, updatedAt, activeRunId } = thread;
  const { text, iso } = formatRelativeTime(updatedAt, now, WORDS_LOCALE);
  const isAsking = useStore(askingThreads).includes(threadId);
  return (
    <a
      class="thread-link"
      href={`/t/${encodeURIComponent(threadId)}`}
      aria-current={isShown ? "true" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        // The router would follow the link and leave the screen beside the panel.
        event.stopPropagation();
        onPick(threadId);
      }}
    >
      <span class="title">{title}</span>
      {activeRunId !== null && (
        <span class={`badge ${isAsking ? "warn" : "hit"}`}>{isAsking ? "Asks you" : "Working"}</span>
      )}
      {match !== undefined && match !== title && (
        <span class="match">
          <ForeignText text={match} />
        </span>
      )}
      <time dateTime={iso ?? undefined}>{text}</time>
    </a>
  );
};
