/** A short knock under the finger, on devices that have one. */
import { mayMove } from "./may-move.ts";

/** In ms: felt, not heard. */
const TICK_MS = 8;

/** Call it for what a finger has just done. A browser refuses it before the first touch, with a message that helps nobody. */
export const tick = (): void => {
  if (!("vibrate" in navigator) || !navigator.userActivation?.isActive || !mayMove()) return;
  if (matchMedia("(pointer: coarse)").matches) navigator.vibrate(TICK_MS);
};
