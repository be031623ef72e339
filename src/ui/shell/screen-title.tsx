/** A screen's heading: names the tab, and takes the focus when a person comes here from another screen. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type ScreenTitleProps = {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** Only read aloud, where the screen shows what it is by itself. */
  readonly isHidden?: boolean;
};

/** Set once the first screen of the visit has been shown: a fresh page leaves the focus to the browser. */
let isFirstScreen = true;

/** An `h1`. */
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
