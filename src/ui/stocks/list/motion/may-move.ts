/** How long anything moves, in ms, and how. Nothing waits for it. */
export const MOTION = { duration: 180, easing: "cubic-bezier(0.2, 0, 0, 1)" } as const;

/** Whether the person wants to see things move, as the device says. */
export const mayMove = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;
