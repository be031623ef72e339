/** What stands in place of a part that broke, or whose code could not be loaded. */
import { QueryClientContext } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useContext, useErrorBoundary } from "preact/hooks";
import { ErrorBoundary as WaitForCode } from "preact-iso/lazy";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { LoadError } from "../parts/lazy.ts";
import { ScreenTitle } from "./screen-title.tsx";

type ErrorBoundaryProps = {
  readonly children: ComponentChildren;
  /** Around a whole screen, whose heading is gone with it. */
  readonly isScreen?: boolean;
};

/** Shows its children, or, when one of them breaks, a way to try again. The rest of the page goes on. */
export const ErrorBoundary = ({ children, isScreen = false }: ErrorBoundaryProps) => {
  // There is none where a person signs in.
  const client = useContext(QueryClientContext);
  const [error, reset] = useErrorBoundary((broken: unknown) => console.error(broken));
  if (error === undefined) return <WaitForCode>{children}</WaitForCode>;
  const isUnloaded = error instanceof LoadError;
  const title = isUnloaded ? "This part could not be loaded" : "This part broke";
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
                // The button goes away: the focus stays in the part.
                currentTarget.closest<HTMLElement>("main, aside")?.focus({ preventScroll: true });
                // An answer may be what broke it: all of them are asked for again.
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
        {isUnloaded && "Check the connection. "}Nothing of yours is lost. If it happens again, reload the page.
      </EmptyState>
    </div>
  );
};
