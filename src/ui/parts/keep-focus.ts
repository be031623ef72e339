/**
 * Never leaves a keyboard without a place: when what has the focus is taken off the page and nothing else takes the focus,
 * the nearest part around it does. Begins by being loaded, with the first code that loads later.
 */

/** The element that has the focus, or had it when it went, and all around it; empty when the person has left it. */
let path: readonly Element[] = [];

const giveHome = (): void => {
  if (path[0]?.isConnected !== false || document.activeElement !== document.body) return;
  const part = path.find((around) => around.isConnected && around.matches("dialog, [tabindex]"));
  path = [];
  const home = part?.matches("dialog") ? part.querySelector<HTMLElement>("button, input") : part;
  (home instanceof HTMLElement ? home : document.querySelector("main"))?.focus({ preventScroll: true });
};

document.addEventListener("focusin", (event) => {
  path = event.composedPath().filter((part) => part instanceof Element);
});
document.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget) return;
  // Some browsers say so of what is being taken away as well: it is still there now, and gone in a moment.
  queueMicrotask(() => {
    if (path[0]?.isConnected) path = [];
  });
});
// Comes after the render that took it away, whose own effects know better where the focus belongs.
new MutationObserver(giveHome).observe(document, { childList: true, subtree: true });
