/** What a screen shows when it has nothing to show, and what to do about it. */
import type { ComponentChildren } from "preact";

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** Buttons and links. */
  readonly actions?: ComponentChildren;
};

/** A title, a sentence, the next step. */
export const EmptyState = ({ title, children, actions }: EmptyStateProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div class="row">{actions}</div>}
  </div>
);
