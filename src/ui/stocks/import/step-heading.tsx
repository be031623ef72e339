/** What every step of the import begins with. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatQuantity, LOCALE } from "../../format/format-number.ts";
import { Badge } from "../../parts/badge.tsx";
import { countLabels, type JudgedRow } from "./row-verdict.ts";

/** Comes into view and takes the focus when its step begins, because the button that led here is gone. */
export const StepHeading = ({ children }: { readonly children: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // The previous step may have been scrolled.
    heading.current?.scrollIntoView();
  }, []);
  return (
    <h3 ref={heading} tabIndex={-1}>
      {children}
    </h3>
  );
};

/** One badge for each outcome that occurs. */
export const VerdictCounts = ({ judged }: { readonly judged: readonly JudgedRow[] }) => (
  <ul class="import-counts" aria-label="Lines by outcome">
    {countLabels(judged).map(({ words, tone, count }) => (
      <li key={words}>
        <Badge tone={tone}>
          {formatQuantity(String(count), LOCALE)} {words}
        </Badge>
      </li>
    ))}
  </ul>
);
