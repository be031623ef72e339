/** Calls `act` now, or in a hidden tab once it becomes visible. While hidden, the same function counts once. */
export const whenVisible = (act: () => void): void => {
  if (document.hidden) document.addEventListener("visibilitychange", act, { once: true });
  else act();
};
