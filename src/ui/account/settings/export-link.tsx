/** The link to all that somebody has here, as one file. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { coversApp, saveFile } from "../../parts/save-file.ts";
import { showToast } from "../../parts/toasts.tsx";
import { EXPORT_PATH } from "../sign-in/auth-requests.ts";

type ExportLinkProps = { readonly class?: string; readonly children: ComponentChildren };

/** A download. An app on an iPhone's home screen fetches the file itself instead, and offers it to other apps. */
export const ExportLink = ({ class: look, children }: ExportLinkProps) => {
  const [isLoading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    setLoading(true);
    try {
      const answer = await fetch(EXPORT_PATH);
      if (!answer.ok) throw new Error(`The export answered ${answer.status}.`);
      await saveFile(new File([await answer.blob()], fileName(new Date()), { type: "application/json" }));
    } catch {
      showToast({ text: "The export could not be loaded. Try again in a moment.", tone: "bad" });
    } finally {
      setLoading(false);
    }
  };
  return (
    <a
      class={look}
      href={EXPORT_PATH}
      download
      aria-disabled={isLoading}
      onClick={(event) => {
        if (!coversApp()) return;
        event.preventDefault();
        if (!isLoading) void load();
      }}
    >
      {children}
    </a>
  );
};

/** The day is that of UTC, as in the name that the server gives. */
const fileName = (now: Date): string => `tally-${now.toISOString().slice(0, 10)}.json`;
