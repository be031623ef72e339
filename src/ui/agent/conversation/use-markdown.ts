/** Loads the markdown view in the background. Until it is here, messages show as plain text. */
import { useEffect } from "preact/hooks";
import { createStore, useStore } from "../../state/store.ts";
import type * as MarkdownCode from "../markdown/markdown.tsx";

const loaded = createStore<typeof MarkdownCode | undefined>(undefined);

let isLoading = false;

/** The view's module, or undefined until it is there. */
export const useMarkdown = (): typeof MarkdownCode | undefined => {
  useEffect(() => {
    if (isLoading) return;
    isLoading = true;
    void import("../markdown/markdown.tsx").then(loaded.set, () => {
      // The text stays plain. The next message tries again.
      isLoading = false;
    });
  }, []);
  return useStore(loaded);
};
