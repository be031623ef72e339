/**
 * Calls `run` once, in a task of its own right after the next frame. A frame's task also does styles, layout and paint;
 * with the work added to it, input would wait twice as long. Never runs while the page is hidden. Returns a function that
 * cancels it.
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
