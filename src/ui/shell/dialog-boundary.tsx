/** Around a dialog: one that breaks, or whose code cannot be loaded, closes and says so; the screen below stays. */
import { useQueryClient } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useErrorBoundary, useLayoutEffect } from "preact/hooks";
import { ErrorBoundary as WaitForCode } from "preact-iso/lazy";
import { LoadError } from "../parts/lazy.ts";
import { showToast } from "../parts/toasts.tsx";

type DialogBoundaryProps = {
  /** Closes the dialog where its state is kept. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** Nothing of its own to see. Render it for as long as the dialog is open: it shows nothing more once that has broken. */
export const DialogBoundary = ({ onClose, children }: DialogBoundaryProps) => {
  const client = useQueryClient();
  const [error] = useErrorBoundary((broken: unknown) => console.error(broken));
  useLayoutEffect(() => {
    if (error === undefined) return;
    showToast({
      text:
        error instanceof LoadError
          ? "This could not be loaded. Check the connection and open it again."
          : "This broke and was closed. Open it again, or reload the page.",
      tone: "bad",
    });
    // An answer may be what broke it. What the screen below shows stays until the next answer is here.
    client.removeQueries({ type: "inactive" });
    void client.invalidateQueries();
    onClose();
  }, [error]);
  return error === undefined ? <WaitForCode>{children}</WaitForCode> : null;
};
