/** Finds stocks while one types. */
import { IconSearch, IconX } from "@tabler/icons-preact";
import { useEffect, useRef } from "preact/hooks";
import { useShortcuts } from "../../shell/use-shortcuts.ts";

type SearchBoxProps = {
  readonly text: string;
  readonly onSearch: (text: string) => void;
  /** Enter, or arrow down. */
  readonly onEnter: (text: string) => void;
};

/** Where a frame that shows nothing but a letter takes longer than this, in ms, the list takes longer than a frame. */
const LETTER_FRAME_MS = 5;

/** There the list waits for a pause of this length, in ms: longer than between two keys. The next one would wait for it. */
const PAUSE_MS = 200;

/** The field keeps its own text while it is typed into; the list follows after the letter is on the screen. */
export const SearchBox = ({ text, onSearch, onEnter }: SearchBoxProps) => {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef(text);
  const frame = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const cancel = (): void => {
    cancelAnimationFrame(frame.current);
    clearTimeout(timer.current);
  };
  useEffect(() => {
    // What comes back from the typing itself may be a letter behind by now.
    if (text === told.current || !input.current) return;
    // Else a search that still waits would come after the one that was taken back.
    cancel();
    told.current = text;
    input.current.value = text;
  }, [text]);
  useEffect(() => cancel, []);
  useShortcuts({ "/": () => input.current?.focus() });
  const search = (next: string): void => {
    cancel();
    // After the frame that shows the letter: the list may take longer than the letter should.
    frame.current = requestAnimationFrame(() => {
      const start = performance.now();
      timer.current = setTimeout(() => {
        timer.current = setTimeout(
          () => {
            told.current = next;
            onSearch(next);
          },
          performance.now() - start > LETTER_FRAME_MS ? PAUSE_MS : 0,
        );
      });
    });
  };
  const clear = (): void => {
    if (input.current) input.current.value = "";
    input.current?.focus();
    search("");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to all browsers that the app supports.
    <div class="search" role="search">
      <IconSearch size={18} stroke={1.75} aria-hidden="true" />
      <input
        ref={input}
        class="input"
        type="search"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={200}
        aria-label="Search stocks"
        placeholder="Symbol, name, tag"
        defaultValue={text}
        onInput={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Escape" && event.currentTarget.value !== "") clear();
          else if (event.key === "Enter" || event.key === "ArrowDown") onEnter(event.currentTarget.value);
          else return;
          event.preventDefault();
        }}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a picture of a key takes no focus. */}
      <kbd aria-hidden="true">/</kbd>
      <button type="button" class="clear" aria-label="Clear search" onClick={clear}>
        <IconX size={16} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
};
