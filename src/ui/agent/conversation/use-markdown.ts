/** Loads the markdown view once, beside what is shown meanwhile: plain text is better than a page that waits. */
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { createStore } from "../../state/store.ts";
import { useStore } from "../../state/use-store.ts";
import type { MarkdownProps } from "../markdown/markdown.tsx";

/** In an object, for a state setter would call a bare function. */
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
        // The text stays plain, and the next message tries again.
        isLoading = false;
      },
    );
  }, []);
  return useStore(loaded).view;
};
