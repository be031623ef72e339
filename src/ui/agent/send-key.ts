/** Enter in a field where it sends, and where Shift+Enter starts a new line. */
import { isAppleMobile } from "../state/apple-mobile.ts";
import { isComposing } from "../state/key-events.ts";

let isShiftHeld = false;

/**
 * Whether a key is the Enter that sends. Call it for each `keydown` of the field: an iPhone's own keyboard says that Shift is held where
 * it would begin a sentence (https://github.com/w3c/editing/issues/542), but only a keyboard with keys reports that Shift was pressed.
 */
export const isSendKey = (event: KeyboardEvent): boolean => {
  const { key, shiftKey } = event;
  isShiftHeld = shiftKey && (isShiftHeld || key === "Shift" || !isAppleMobile());
  return key === "Enter" && !isShiftHeld && !isComposing(event);
};
