/** Replaces a part that threw, or whose code could not be loaded. */
import { QueryClientContext, useQueryClient } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useContext, useErrorBoundary, useLayoutEffect } from "preact/hooks";
import { ErrorBoundary as WaitForCode } from "preact-iso/lazy";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { LoadError } from "./lazy.ts";
import { ScreenTitle } from "./screen-title.tsx";
import { showToast } from "./toasts.tsx";

type ErrorBoundaryProps = {
  readonly children: ComponentChildren;
  /** It is around a whole screen, whose heading is then gone. */
  readonly isScreen?: boolean;
};

/** Shows its children or, when one of them throws, a way to try again. The rest of the page keeps working. */
export const ErrorBoundary = ({ children, isScreen = false }: ErrorBoundaryProps) => {
  // Undefined on the sign-in screen.
  const client = useContext(QueryClientContext);
  const [error, reset] = useErrorBoundary((broken: unknown) => console.error(broken));
  if (error === undefined) return <WaitForCode>{children}</WaitForCode>;
  const isUnloaded = error instanceof LoadError;
  const title = isUnloaded ? "This part could not be loaded" : "Something went wrong here";
  return (
    <div role="alert" class="broken">
      {isScreen && <ScreenTitle title={title} isHidden />}
      <EmptyState
        title={title}
        actions={
          <>
            <Button
              tone="primary"
              onClick={({ currentTarget }) => {
                // The button disappears; keep the focus in this part.
                currentTarget.closest<HTMLElement>("main, aside")?.focus({ preventScroll: true });
                // Cached data may have caused it, so all of it is loaded again.
                if (!isUnloaded) void client?.resetQueries();
                reset();
              }}
            >
              Try again
            </Button>
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </>
        }
      >
        {isUnloaded && "Check your connection. "}Your data is safe. If it happens again, reload the page.
      </EmptyState>
    </div>
  );
};

type DialogBoundaryProps = {
  /** Closes the dialog where its state is kept. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/**
 * Goes around a dialog or menu. One that throws, or whose code cannot be loaded, is closed with a toast, and the screen
 * below stays. Render it only while the dialog is open: after an error it shows nothing.
 */
export const DialogBoundary = ({ onClose, children }: DialogBoundaryProps) => {
  const client = useQueryClient();
  const [error] = useErrorBoundary((broken: unknown) => console.error(broken));
  useLayoutEffect(() => {
    if (error === undefined) return;
    showToast({
      text:
        error instanceof LoadError
          ? "This could not be loaded. Check your connection and try again."
          : "Something went wrong here. Try again or reload the page.",
      tone: "bad",
    });
    // Cached data may have caused it. What the screen below shows stays until new data is here.
    client.removeQueries({ type: "inactive" });
    void client.invalidateQueries();
    onClose();
  }, [error]);
  return error === undefined ? <WaitForCode>{children}</WaitForCode> : null;
};
