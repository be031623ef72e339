/** Whether the command palette is open, and the key that opens it. */
import { useLayoutEffect } from "preact/hooks";
import { createStore } from "../../state/store.ts";

export const isPaletteOpen = createStore(false);

/** Opens it with `Ctrl K` or `Command K`, even from a field; not while a dialog is open, which would lie below it. */
export const usePaletteKey = (): void =>
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector("dialog:modal")) return;
      event.preventDefault();
      isPaletteOpen.set(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
