/** How long a movement lasts, in ms, and its easing. Nothing waits for it. */
export const MOTION = { duration: 180, easing: "cubic-bezier(0.2, 0, 0, 1)" } as const;

/** Whether the person wants to see things move, as the device says. */
export const mayMove = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Length of a knock, in ms: it is felt, not heard. */
const TICK_MS = 8;

/**
 * A short knock under the finger, on devices that have one. Call it right after a touch. A browser refuses it before the first
 * touch, with a message that helps nobody.
 */
export const tick = (): void => {
  if (!("vibrate" in navigator) || !navigator.userActivation?.isActive || !mayMove()) return;
  if (matchMedia("(pointer: coarse)").matches) navigator.vibrate(TICK_MS);
};
