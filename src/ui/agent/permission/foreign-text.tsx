/** Text that others wrote, as `text-parts` has it shown: marks look like no text, so nobody can write one. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { blankLinesWords, partWords, type TextPart, textParts } from "./text-parts.ts";

type ForeignTextProps = {
  readonly text: string;
  /** A command, a path, a file's line: the order on the screen is the order in which it is read. */
  readonly isCode?: boolean;
};

/** Stands by itself: nothing in it moves what is around it. */
export const ForeignText = ({ text, isCode = false }: ForeignTextProps) => (
  <bdi class="foreign" dir={isCode ? "ltr" : undefined}>
    {useMemo(() => showParts(text, isCode), [text, isCode])}
  </bdi>
);

/** The same without an element around it. Not a component: a diff has thousands of lines. */
export const showParts = (text: string, isCode: boolean): ComponentChildren => textParts(text, isCode).map(showPart);

const showPart = (part: TextPart, index: number): ComponentChildren => {
  switch (part.kind) {
    case "plain":
      return part.text;
    case "turned":
      return <bdi key={index}>{part.text}</bdi>;
    case "blankLines":
      // The line's end stands behind the mark, or the mark's frame would go on in the next line.
      return [<Mark key={index}>{blankLinesWords(part.count)}</Mark>, "\n"];
    default:
      return <Mark key={index}>{partWords(part)}</Mark>;
  }
};

/** What stands in the place of something that is not shown as it is. */
export const Mark = ({ children }: { readonly children: string }) => <span class="unseen">{children}</span>;
