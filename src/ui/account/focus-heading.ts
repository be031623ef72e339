/**
 * Call it at a press. The returned function moves the focus to the heading of the section once the pressed button is gone. Whoever has gone
 * on elsewhere meanwhile keeps the focus: the answer may be late, and they may be writing.
 */
export const watchPress = (): ((heading: HTMLElement | null) => void) => {
  // In Safari a press leaves a button without the focus, which is then on the body.
  const pressed = document.activeElement;
  return (heading) => {
    const { activeElement: now, body } = document;
    // Where `parts/keep-focus.ts` has already put the focus, if the answer was shown before.
    const rescue = heading?.closest("dialog")?.querySelector("button, input");
    if (now === pressed || now === body || now === rescue) heading?.focus();
  };
};
