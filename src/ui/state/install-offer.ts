/**
 * The browser's own offer to install the app. Only Chromium makes it, soon after the page has loaded: too early for Account to hear it.
 */

/** `prompt` asks the person. It works once. */
export type InstallOffer = Event & { prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }> };

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
  /**
   * The offer that came last; undefined where there is none, or it was taken up. A global costs the first paint less than a module would.
   */
  var installOffer: InstallOffer | undefined;
}

/** Keeps the offer for Account. What the browser shows by itself, such as the icon in its address bar, stays as it is. */
export const keepInstallOffer = (): void => {
  addEventListener("beforeinstallprompt", (event) => {
    globalThis.installOffer = event;
  });
};
