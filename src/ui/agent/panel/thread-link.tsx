import { chatPath } from "../../../contract/app-paths.ts";
import { searchWords } from "../../../contract/fold-text.ts";
import type { ThreadView } from "../../../contract/thread.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { askingThreads } from "../../state/chats.ts";
import { useStore } from "../../state/store.ts";
import { findMarks } from "../../stocks/list/row/marked-text.tsx";
import { ForeignText } from "../permission/foreign-text.tsx";

type ThreadLinkProps = {
  readonly thread: ThreadView;
  /** What was searched for, and the text around it. */
  readonly found?: { readonly query: string; readonly match: string };
  readonly isShown: boolean;
  readonly now: Date;
  readonly onPick: (threadId: string) => void;
};

/** A thread in a list. A badge marks one where the agent works, or asks. */
export const ThreadLink = ({ thread, found, isShown, now, onPick }: ThreadLinkProps) => {
  const { threadId, title, updatedAt, activeRunId } = thread;
  const { text, iso } = formatRelativeTime(updatedAt, now, WORDS_LOCALE);
  const isAsking = useStore(askingThreads).includes(threadId);
  return (
    <a
      class="thread-link"
      href={chatPath(threadId)}
      aria-current={isShown ? "true" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        // The router would follow the link and leave the screen beside the panel.
        event.stopPropagation();
        onPick(threadId);
      }}
    >
      <span class="title" dir="auto">
        {title}
      </span>
      {activeRunId !== null && (
        <span class={`badge ${isAsking ? "warn" : "hit"}`}>{isAsking ? "Needs you" : "Working"}</span>
      )}
      {found !== undefined && found.match !== title && (
        <span class="match" dir="auto">
          {matchPieces(found.match, found.query).map(({ text: piece, isMatch }, nth) =>
            isMatch ? (
              <mark key={nth}>
                <ForeignText text={piece} isProse />
              </mark>
            ) : (
              <ForeignText key={nth} text={piece} isProse />
            ),
          )}
        </span>
      )}
      <time dateTime={iso ?? undefined}>{text}</time>
    </a>
  );
};

/** Markdown's marks for emphasis, code, headings and link targets. `2 ** 8` and `a_b` contain none of them. */
const MARKS = [
  [/\[([^\]]*)\]\([^)\s]*\)/g, "$1"],
  [/`+/g, ""],
  [/(?<![\w*_~])(?:\*{1,3}|_{1,3}|~~)(?=[^\s*_~])|(?<=[^\s*_~])(?:\*{1,3}|_{1,3}|~~)(?![\w*_~])/g, ""],
  [/(^|\s)#{1,6} (?=\S)/g, "$1"],
] as const;

/**
 * The text around what a search of chats found, as people read it: without markdown's marks, in pieces that match or do not. `match` is
 * one line that may be cut anywhere, so one mark of a pair may be missing.
 */
export const matchPieces = (match: string, query: string): ReturnType<typeof findMarks> =>
  findMarks(
    MARKS.reduce((text, [sign, instead]) => text.replace(sign, instead), match),
    searchWords(query),
  );
