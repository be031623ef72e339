/** The link to all that somebody has here, as one file. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../api/api-error.ts";
import { watchSignedOut } from "../../api/request-json.ts";
import { coversApp, saveFile } from "../../parts/save-file.ts";
import { showToast } from "../../parts/toasts.tsx";
import { explainFailure } from "../explain-failure.ts";
import { EXPORT_PATH } from "../sign-in/auth-requests.ts";

type ExportLinkProps = { readonly class?: string; readonly children: ComponentChildren };

/** A download. An app on an iPhone's home screen fetches the file itself instead, and offers it to other apps. */
export const ExportLink = ({ class: look, children }: ExportLinkProps) => {
  const [isLoading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    setLoading(true);
    const onSignedOut = watchSignedOut();
    try {
      const answer = await fetch(EXPORT_PATH);
      if (answer.status === 401) return onSignedOut();
      if (!answer.ok) throw await readRefusal(answer);
      await saveFile(new File([await answer.blob()], fileName(new Date()), { type: "application/json" }));
    } catch (error) {
      const remedy = error instanceof ApiError ? explainFailure(error) : "Try again in a moment.";
      showToast({ text: `The export could not be loaded. ${remedy}`, tone: "bad" });
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

/** The server's words and the wait that it asks for, as `requestJson` would throw them. */
const readRefusal = async (answer: Response): Promise<Error> => {
  const { error } = await answer.json();
  if (typeof error !== "string") return new Error("Something in between has answered.");
  return new ApiError(answer.status, error, {
    retryAfterSeconds: Number(answer.headers.get("retry-after")) || undefined,
  });
};

/** The day is that of UTC, as in the name that the server gives. */
const fileName = (now: Date): string => `tally-${now.toISOString().slice(0, 10)}.json`;
