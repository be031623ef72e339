/**
 * Keeps the keyboard focus from getting lost: when the focused element is removed and nothing else takes the focus, the
 * nearest focusable part around it does. Importing this module starts it.
 */

/** The element that has the focus, or had it when it was removed, and its ancestors; empty when the focus left it. */
let path: readonly Element[] = [];

const restoreFocus = (): void => {
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
  // Some browsers also fire this for an element that is being removed: it is still connected now, but not in a moment.
  queueMicrotask(() => {
    if (path[0]?.isConnected) path = [];
  });
});
// Runs after the render that removed it: the effects of that render know better where the focus belongs.
new MutationObserver(restoreFocus).observe(document, { childList: true, subtree: true });
