/** Loads the markdown view in the background. Until it is here, messages show as plain text. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { createStore, useStore } from "../../state/store.ts";
import type { MarkdownProps } from "../markdown/markdown.tsx";

/** In an object, because a state setter would call a bare function. */
const loaded = createStore<{ readonly view: ComponentType<MarkdownProps> | undefined }>({ view: undefined });

let isLoading = false;

/** The view, or undefined until it is there. */
export const useMarkdown = (): ComponentType<MarkdownProps> | undefined => {
  useEffect(() => {
    if (isLoading) return;
    isLoading = true;
    void import("../markdown/markdown.tsx").then(
      (module) => loaded.set({ view: module.default }),
      () => {
        // The text stays plain. The next message tries again.
        isLoading = false;
      },
    );
  }, []);
  return useStore(loaded).view;
};
