/** The screen for an address that leads nowhere. */
import { EmptyState } from "../parts/empty-state.tsx";
import { ScreenTitle } from "./screen-title.tsx";

/** A 404 with the ways on. */
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
