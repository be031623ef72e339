import { isAppleMobile } from "../../state/apple-mobile.ts";

/** Whether this page is the app on a home screen, or in a window of its own. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;

/** How a browser installs the app, in words; undefined where it cannot, or is not known to. */
export const installWords = (userAgent: string, isApple: boolean): string | undefined => {
  if (isApple) return "In Safari tap Share, then “Add to Home Screen”.";
  if (/\bAndroid\b/.test(userAgent)) return "In the browser’s menu tap “Install app” or “Add to Home screen”.";
  if (/\b(Chrome|HeadlessChrome)\//.test(userAgent)) return "In the browser’s menu choose “Install Tally”.";
  if (/\bMacintosh\b.*\bSafari\//.test(userAgent)) return "In Safari’s menu choose File, then “Add to Dock”.";
  return undefined;
};

/** Says once, here alone, how Tally becomes an app of the device. Nothing where it is one. */
export const InstallHint = () => {
  const words = installWords(navigator.userAgent, isAppleMobile());
  if (words === undefined || isInstalled()) return null;
  return (
    <section class="account-part">
      <h3>Tally as an app</h3>
      <p class="muted">{words} It then has an icon of its own and opens without a network.</p>
    </section>
  );
};
