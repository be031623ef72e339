import { announce } from "../parts/announcer.tsx";
import { showToast } from "../parts/toasts.tsx";

/** Copies a text, and tells people who cannot see the button whether that worked. Resolves to whether it did; never rejects. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
    return true;
  } catch {
    // The browser does not permit it, or the page is not the one in front.
    showToast({ text: "The browser did not allow copying. Select the text instead.", tone: "bad" });
    return false;
  }
};
