/** Calls `act` now, or in a hidden tab once it becomes visible. Passing the same function again then has no effect. */
export const whenVisible = (act: () => void): void => {
  if (document.hidden) document.addEventListener("visibilitychange", act, { once: true });
  else act();
};
