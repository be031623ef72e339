import { EmptyState } from "../parts/empty-state.tsx";
import { ScreenTitle } from "../parts/screen-title.tsx";

/** The screen for an unknown address. */
export const NotFound = () => (
  <div class="not-found">
    <ScreenTitle title="Page not found" isHidden />
    <EmptyState
      title="Page not found"
      actions={
        <>
          <a class="btn primary" href="/stocks">
            Go to your stocks
          </a>
          <a class="btn" href="/">
            Go to the chat
          </a>
        </>
      }
    >
      There is nothing at this address.
    </EmptyState>
  </div>
);
