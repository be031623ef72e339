import { IconDownload } from "@tabler/icons-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { wantsAppWorker } from "../../state/app-worker.ts";
import { isAppleMobile, isInstalled } from "../../state/apple-mobile.ts";
import type { InstallOffer } from "../../state/install-offer.ts";
import { useSession } from "../person.ts";

/** How a browser installs the app, in words; undefined where it cannot, or is not known to. */
export const installWords = (userAgent: string, isApple: boolean): string | undefined => {
  if (isApple) return "In Safari tap Share, then “Add to Home Screen”.";
  if (/\bAndroid\b/.test(userAgent)) return "In the browser's menu tap “Install app” or “Add to Home screen”.";
  if (/\b(Chrome|HeadlessChrome)\//.test(userAgent)) return "In the browser's menu choose “Install Tally”.";
  if (/\bMacintosh\b.*\bSafari\//.test(userAgent)) return "In Safari's menu choose File, then “Add to Dock”.";
  return undefined;
};

const ICON = "It then has an icon of its own.";

/** Only a service worker opens it without a network. */
const ICON_AND_OFFLINE = "It then has an icon of its own and opens without a network.";

/** The browser's offer to install, while there is one. It may come when Account is open already. */
const useOffer = () => {
  const [offer, setOffer] = useState<InstallOffer | undefined>(globalThis.installOffer);
  useEffect(() => {
    const look = (): void => setOffer(globalThis.installOffer);
    addEventListener("beforeinstallprompt", look);
    return () => removeEventListener("beforeinstallprompt", look);
  }, []);
  /** Asks the person, and resolves with whether the app is being installed; undefined if they are already being asked. */
  const take = async (): Promise<boolean | undefined> => {
    if (offer === undefined || offer !== globalThis.installOffer) return undefined;
    // An offer can be taken up once.
    globalThis.installOffer = undefined;
    const { outcome } = await offer.prompt();
    setOffer(globalThis.installOffer);
    return outcome === "accepted";
  };
  return { offer, take };
};

/** How to install Tally, said only here: a button where the browser offers it, otherwise words. Nothing where it is installed. */
export const InstallHint = () => {
  const { offer, take } = useOffer();
  const [isTaken, setTaken] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const gain = wantsAppWorker(useSession().data) ? ICON_AND_OFFLINE : ICON;
  const words = installWords(navigator.userAgent, isAppleMobile());
  if (isInstalled() || (words === undefined && offer === undefined && !isTaken)) return null;
  const install = async (): Promise<void> => {
    const isInstalling = await take();
    if (isInstalling === undefined) return;
    if (isInstalling) announce("Tally is installed.");
    setTaken(isInstalling);
    // The pressed button is gone.
    heading.current?.focus();
  };
  const text = isTaken
    ? "Tally is installed. Open it like any other app."
    : offer
      ? `Install it from here. ${gain}`
      : `${words} ${gain}`;
  return (
    <section class="account-part">
      <h3 ref={heading} tabIndex={-1}>
        Tally as an app
      </h3>
      <p class="muted">{text}</p>
      {offer && (
        <Button icon={IconDownload} onClick={() => void install()}>
          Install Tally
        </Button>
      )}
    </section>
  );
};
