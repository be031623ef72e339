/** The lines that are not in the list, to take along. */
import { IconCopy } from "@tabler/icons-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../format/format-count.ts";
import { Button } from "../../parts/button.tsx";
import { LOCALE } from "../list/locale.ts";
import type { ImportRow } from "./import-row.ts";
import { leftoverText } from "./leftover-text.ts";

type CopyLeftoversProps = {
  readonly text: string;
  readonly rows: readonly ImportRow[];
  readonly left: readonly ImportRow[];
};

/** Copies by the button; where the browser forbids that, shows the text to be copied by hand. */
export const CopyLeftovers = ({ text, rows, left }: CopyLeftoversProps) => {
  const [state, setState] = useState<"start" | "copied" | "shown">("start");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (state === "shown") box.current?.select();
  }, [state]);
  const copy = (): void =>
    void navigator.clipboard.writeText(leftoverText(text, rows, left)).then(
      () => setState("copied"),
      () => setState("shown"),
    );
  const count = formatCount(left.length, "line", "lines", LOCALE);
  return (
    <div class="import-left">
      <p>
        {count} {left.length === 1 ? "is" : "are"} not in your list. Copy {left.length === 1 ? "it" : "them"} to mend
        and import again.
      </p>
      <Button icon={IconCopy} isSmall onClick={copy}>
        Copy {count}
      </Button>
      <span role="status">{state === "copied" && "Copied."}</span>
      {state === "shown" && (
        <textarea
          ref={box}
          class="input"
          rows={5}
          readOnly
          aria-label="Lines that are not in your list"
          value={leftoverText(text, rows, left)}
        />
      )}
    </div>
  );
};
