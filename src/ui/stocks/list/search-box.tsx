/** Search as you type. */
import { IconSearch, IconX } from "@tabler/icons-preact";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { putTyped, type StocksPlace, useStocksPlace } from "../../navigation/stocks-place.ts";
import { useShortcuts } from "../../parts/use-shortcuts.ts";
import { isComposing } from "../../state/key-events.ts";

/** If a frame that only shows a letter takes longer than this, in ms, drawing the list takes longer than a frame. */
const LETTER_FRAME_MS = 5;

/** On such a device the list waits for a pause this long, in ms, so that the next keystroke does not wait for the list. */
const LETTER_PAUSE_MS = 200;

/** A pause of this length, in ms, ends a burst of typing. */
const PAUSE_MS = 300;

/** `text` is what the list is searched for; it may lag behind the field. */
export type Search = {
  readonly text: string;
  readonly field: RefObject<HTMLInputElement>;
  /** Call it with the field's text on each input. */
  readonly type: (typed: string) => void;
  /** Searches for a text at once and puts it into the field, along with any other change of the place. */
  readonly show: (text: string, change?: Partial<StocksPlace>) => void;
};

/**
 * The search as it is typed. The field keeps its own text; the list follows once the letter is on the screen, and the
 * address once typing pauses. Back and links change the address, and the search with it.
 */
export const useSearch = (): Search => {
  const { place, go } = useStocksPlace();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(place.q);
  const frame = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const cancel = (): void => {
    cancelAnimationFrame(frame.current);
    clearTimeout(timer.current);
    putTyped.current = undefined;
  };
  const type = (typed: string): void => {
    cancel();
    const put = (): void => go({ q: typed }, { replace: true });
    putTyped.current = put;
    // After the frame that shows the letter: drawing the list may take longer than a letter should.
    frame.current = requestAnimationFrame(() => {
      const start = performance.now();
      timer.current = setTimeout(() => {
        const isSlow = performance.now() - start > LETTER_FRAME_MS;
        timer.current = setTimeout(
          () => {
            setText(typed);
            timer.current = setTimeout(put, PAUSE_MS);
          },
          isSlow ? LETTER_PAUSE_MS : 0,
        );
      });
    });
  };
  const write = (next: string): void => {
    // A search that is still waiting would overwrite this one.
    cancel();
    if (field.current) field.current.value = next;
    setText(next);
  };
  // A later effect would overwrite what is typed in between.
  useLayoutEffect(() => {
    // What was typed comes back from the address too, in the same task, while the field still has it.
    if (field.current?.value !== place.q) write(place.q);
  }, [place.q]);
  useEffect(() => cancel, []);
  const show: Search["show"] = (next, change) => {
    write(next);
    go({ ...change, q: next }, { replace: true });
  };
  return { text, field, type, show };
};

type SearchBoxProps = {
  readonly search: Search;
  /** Called on Enter and arrow down. */
  readonly onEnter: (text: string) => void;
};

export const SearchBox = ({ search: { field, type }, onEnter }: SearchBoxProps) => {
  useShortcuts({ "/": () => field.current?.focus() });
  const clear = (): void => {
    if (field.current) field.current.value = "";
    field.current?.focus();
    type("");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all supported browsers know `<search>`.
    <div class="search" role="search">
      <IconSearch size={18} stroke={1.75} aria-hidden="true" />
      <input
        ref={field}
        class="input"
        type="search"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={200}
        aria-label="Search stocks"
        placeholder="Search"
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "Escape" && event.currentTarget.value !== "") clear();
          else if (event.key === "Enter" || event.key === "ArrowDown") onEnter(event.currentTarget.value);
          else return;
          event.preventDefault();
        }}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a picture of a key cannot take the focus. */}
      <kbd aria-hidden="true">/</kbd>
      <button type="button" class="clear" aria-label="Clear search" onClick={clear}>
        <IconX size={16} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
};
