/** Finds stocks while one types. */
import { IconSearch, IconX } from "@tabler/icons-preact";
import { useShortcuts } from "../../shell/use-shortcuts.ts";
import type { Search } from "./use-search.ts";

type SearchBoxProps = {
  readonly search: Search;
  /** Enter, or arrow down. */
  readonly onEnter: (text: string) => void;
};

/** The field keeps its own text. */
export const SearchBox = ({ search: { field, type }, onEnter }: SearchBoxProps) => {
  useShortcuts({ "/": () => field.current?.focus() });
  const clear = (): void => {
    if (field.current) field.current.value = "";
    field.current?.focus();
    type("");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to all browsers that the app supports.
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
        placeholder="Symbol, name, tag"
        onInput={({ currentTarget }) => type(currentTarget.value)}
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
