/** Searches the person's chats: the field above their list, and what was found instead of the list. */
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FoundThread } from "../../../contract/thread.ts";
import { requestJson } from "../../api/request-json.ts";
import { useMinute } from "../../state/use-minute.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { THREADS_KEY } from "./list-threads.ts";
import { ThreadLink } from "./thread-link.tsx";

/** How long nobody types before the search is sent, in ms. */
const PAUSE_MS = 250;

/** Longest search, in UTF-16 units (api.md §2). */
const MAX_LENGTH = 200;

/** The value once it has stayed the same for a moment; at once when it is empty. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return value === "" ? "" : settled;
};

type ThreadSearchProps = {
  readonly threadId: string;
  readonly onPick: (threadId: string) => void;
  /** Shown while nothing is searched for. */
  readonly children: ComponentChildren;
};

/** Arrow down goes from the field to what was found. Escape clears the search. */
export const ThreadSearch = ({ threadId, onPick, children }: ThreadSearchProps) => {
  const [text, setText] = useState("");
  const now = useMinute();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const q = useSettled(text.trim());
  const { data, error, isPlaceholderData } = useQuery<{ readonly threads: readonly FoundThread[] }>({
    queryKey: [...THREADS_KEY, "found", q],
    queryFn: ({ signal }) => requestJson(`/_framework/threads?q=${encodeURIComponent(q)}`, { signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const found = data?.threads;
  // What was found for the previous words says nothing about these.
  const isSearching = found === undefined || isPlaceholderData || q === "";
  /** Moves the focus among what was found. The field comes before the first link. */
  const move = (step: number): void => {
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const next = links.findIndex((link) => link.matches(":focus")) + step;
    if (next < 0) field.current?.focus();
    else links[next]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape" && text !== "") {
      setText("");
      field.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not all supported browsers know `<search>`. */}
      <div class="thread-search" role="search" onKeyDown={onKeyDown}>
        <input
          ref={field}
          class="input"
          type="search"
          enterkeyhint="search"
          autocomplete="off"
          maxLength={MAX_LENGTH}
          aria-label="Search chats"
          placeholder="Search chats"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {text.trim() !== "" && (
          <>
            <p class="hint" role="status">
              {error ? explainProblem(error) : isSearching ? "Searching…" : summary(found.length, q)}
            </p>
            <ul ref={list}>
              {found?.map((thread) => (
                <li key={thread.threadId}>
                  <ThreadLink
                    thread={thread}
                    found={{ query: q, match: thread.match }}
                    isShown={thread.threadId === threadId}
                    now={now}
                    onPick={onPick}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {text.trim() === "" && children}
    </>
  );
};

const summary = (count: number, q: string): string =>
  count === 0 ? `No chats found for “${q}”.` : count === 1 ? "1 chat" : `${count} chats`;
