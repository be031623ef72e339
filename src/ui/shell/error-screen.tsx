/** What stands in place of a part that broke. */
import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";

/** Shows its children, or, when one of them breaks, a way to try again. The rest of the page goes on. */
export const ErrorBoundary = ({ children }: { readonly children: ComponentChildren }) => {
  const [error, reset] = useErrorBoundary((broken: unknown) => console.error(broken));
  if (error === undefined) return <>{children}</>;
  return (
    <EmptyState
      title="This part broke"
      actions={
        <>
          <Button tone="primary" onClick={reset}>
            Try again
          </Button>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </>
      }
    >
      Nothing of yours is lost. If it happens again, reload the page.
    </EmptyState>
  );
};
