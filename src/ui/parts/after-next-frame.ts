/** Work that belongs to a frame but not into it. */

/**
 * Runs once, in a task of its own right after the next frame: a frame's task also has its styles, layout and paint, and with
 * all of it in one a key or a finger waits twice as long. No frame comes while the page is hidden. Answers how to take it back.
 */
export const afterNextFrame = (run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};
