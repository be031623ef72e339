/** The output of a command that is running, or was. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { ForeignText } from "../../permission/foreign-text.tsx";
import { newestOutput } from "../../stream/change-calls.ts";
import type { LiveOutput } from "../../stream/transcript-item.ts";

/** Length of the tail shown while it runs, in UTF-16 units: about a dozen lines. */
const TAIL_LENGTH = 1_500;

/** The newest lines, scrolled to the end. */
export const LiveTail = ({ live }: { readonly live: LiveOutput }) => {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [live]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1).
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
    <pre ref={box} class="mono tail" role="group" aria-label="Newest output" tabIndex={0}>
      <Parts parts={newestOutput(live.parts, TAIL_LENGTH)} />
    </pre>
  );
};

/** All the output that is kept. */
export const LiveOutputBox = ({ live }: { readonly live: LiveOutput }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1).
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
  <pre class="mono" role="group" aria-label="Output" tabIndex={0}>
    {live.leftOut > 0 && <span class="hint">{`… ${live.leftOut} earlier characters are no longer kept\n`}</span>}
    <Parts parts={live.parts} />
  </pre>
);

const Parts = ({ parts }: Pick<LiveOutput, "parts">) => (
  <>
    {parts.map(({ stream, text }, index) => (
      <span key={index} class={stream === "stderr" ? "stderr" : undefined}>
        {/* Many programs end lines with CRLF; that hides nothing. */}
        <ForeignText text={text.replaceAll("\r\n", "\n")} isCode />
      </span>
    ))}
  </>
);
