/** Gives a person a file to keep. */
import { isAppleMobile, isInstalled } from "../state/apple-mobile.ts";
import { showToast } from "./toasts.tsx";

/** Long enough for a browser that asks where to save. It takes a few MB of memory at most. */
const REVOKE_MS = 60_000;

/** Whether a download would cover the app for good: an app on an iPhone's home screen shows the file, and has no way back. */
export const coversApp = (): boolean => isAppleMobile() && isInstalled();

/**
 * Downloads the file, or offers it to the phone's other apps, such as Files, where a download would cover this one. True when nothing is
 * left to do: the download has begun, or another app has the file.
 */
export const saveFile = async (file: File): Promise<boolean> => {
  if (coversApp() && navigator.canShare?.({ files: [file] })) return await share(file);
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
  return true;
};

/** Closing the phone's sheet is no failure. A press that was too long ago no longer opens it, so a new one is asked for. */
const share = async (file: File): Promise<boolean> => {
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "NotAllowedError")) return false;
    const action = { label: "Save", run: () => void share(file) };
    showToast({ text: "Your file is ready.", tone: "lasting", action });
    return false;
  }
};
