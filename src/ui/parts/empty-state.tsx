import type { ComponentChildren } from "preact";

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** Buttons and links. */
  readonly actions?: ComponentChildren;
};

/** Shown when there is nothing to show: a title, a sentence, the next step. */
export const EmptyState = ({ title, children, actions }: EmptyStateProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div class="row">{actions}</div>}
  </div>
);
