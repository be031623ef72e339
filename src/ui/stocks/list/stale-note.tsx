/** Says that the list on the screen could not be brought up to date. */
import { Button } from "../../parts/button.tsx";

/** Offers to try again. */
export const StaleNote = ({ onRetry }: { readonly onRetry: () => void }) => (
  <p class="banner" role="status">
    The list could not be refreshed. It may be old.
    <Button isSmall onClick={onRetry}>
      Try again
    </Button>
  </p>
);
