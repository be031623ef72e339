/** A screen's heading: sets the tab's title, and takes the focus when a person arrives from another screen. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type ScreenTitleProps = {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** For screen readers only, where the screen is recognizable by itself. */
  readonly isHidden?: boolean;
};

/** On the first screen of a visit the browser decides where the focus is. */
let isFirstScreen = true;

export const ScreenTitle = ({ title, children, isHidden }: ScreenTitleProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Tally`;
  }, [title]);
  useLayoutEffect(() => {
    if (!isFirstScreen) heading.current?.focus({ preventScroll: true });
    isFirstScreen = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} class={isHidden ? "vh" : undefined}>
      {title}
      {children}
    </h1>
  );
};
