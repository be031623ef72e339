import { announce } from "../parts/announcer.tsx";
import { showToast } from "../parts/toasts.tsx";

/** Copies a text; tells a person who cannot see the button whether it did. Resolves to that, and never rejects. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
    return true;
  } catch {
    // Without leave from the browser, or on a page that is not the front one.
    showToast({ text: "The browser did not allow copying. Select the text instead.", tone: "bad" });
    return false;
  }
};
