/**
 * How much of the window's end a phone's keyboard covers, in `--keyboard`. Importing this module keeps it there. Safari ignores
 * `interactive-widget`, so its keyboard lies over the page: https://github.com/WebKit/standards-positions/issues/65
 */
const { documentElement } = document;

const measure = (): void => {
  if (!visualViewport) return;
  const { scale, height, offsetTop } = visualViewport;
  // A zoomed page shows less of itself even without a keyboard.
  const covered = scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - height - offsetTop));
  documentElement.style.setProperty("--keyboard", `${covered}px`);
};

visualViewport?.addEventListener("resize", measure);
visualViewport?.addEventListener("scroll", measure);
