/** Says that the list could not be read. */
import { ApiError } from "../../actions/api-error.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";

type ListErrorProps = { readonly error: Error; readonly isTrying: boolean; readonly onRetry: () => void };

/** Names the request, so that it can be found in the server's log. */
export const ListError = ({ error, isTrying, onRetry }: ListErrorProps) => (
  <div role="alert">
    <EmptyState
      title="Your stocks could not be loaded"
      actions={
        <Button tone="primary" disabled={isTrying} onClick={onRetry}>
          {isTrying ? "Trying again…" : "Try again"}
        </Button>
      }
    >
      {error.message}
      {error instanceof ApiError && error.requestId !== undefined && (
        <>
          <br />
          Request <code>{error.requestId}</code>
        </>
      )}
    </EmptyState>
  </div>
);
