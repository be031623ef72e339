/** A unified diff. Marks tell added from removed lines, colour only helps. */
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Mark, showParts } from "../permission/foreign-text.tsx";
import { blankLinesWords } from "../permission/text-parts.ts";
import { UNFOLDS } from "../permission/use-whole-view.ts";
import { countChanges, type DiffLine, foldBlankLines, parseDiff } from "./parse-diff.ts";

/** Lines that are put on the page at first: more of them cost time that nobody may want to spend. */
const FIRST_LINES = 300;

const MARKS: Readonly<Record<DiffLine["kind"], string>> = { add: "+", remove: "−", same: " ", hunk: "", note: "" };

/** Scrolls by itself where it is long. */
export const DiffView = ({ diff, label }: { readonly diff: string; readonly label: string }) => {
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => foldBlankLines(lines), [lines]);
  const { added, removed } = countChanges(lines);
  const shown = isWhole ? rows : rows.slice(0, FIRST_LINES);
  return (
    <div class="diff">
      <p class="hint">
        {added} added, {removed} removed
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls. */}
      <pre class="mono" role="group" aria-label={label} tabIndex={0}>
        <code dir="ltr">
          {shown.map(({ kind, text, count }, index) => (
            <span key={index} class={kind}>
              {`${MARKS[kind]}${kind === "hunk" || kind === "note" ? "" : " "}`}
              {count > 1 ? <Mark>{blankLinesWords(count)}</Mark> : showParts(text, true)}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
      {shown.length < rows.length && (
        <Button isSmall {...UNFOLDS} onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </Button>
      )}
    </div>
  );
};
