/** What went into a call and what came out of it. */
import { ForeignText } from "../permission/foreign-text.tsx";
import { shownText } from "../permission/text-parts.ts";
import type { ToolItem } from "../transcript-item.ts";
import { DiffView } from "./diff-view.tsx";
import { LiveOutputBox } from "./live-tail.tsx";
import { MonoBox } from "./mono-box.tsx";
import { prettyJson, prettyText } from "./pretty-json.ts";

const OPERATIONS = { create: "Created", update: "Changed", delete: "Deleted" } as const;

/** Rendered only while unfolded. */
export const ToolDetails = ({ item }: { readonly item: ToolItem }) => (
  <div class="tool-body">
    <h3>Input</h3>
    <MonoBox label="Input" text={prettyJson(item.input)} />
    {item.isInputTruncated && <CutNote />}
    {item.fileChanges.map(({ path, operation, diff, isTruncated }) => (
      <div key={path}>
        <h3>
          {OPERATIONS[operation]}{" "}
          <code>
            <ForeignText text={path} isCode />
          </code>
        </h3>
        <DiffView diff={diff} label={`Changes of ${shownText(path)}`} />
        {isTruncated && <CutNote />}
      </div>
    ))}
    {item.live.parts.length > 0 && (
      <>
        <h3>What it wrote</h3>
        <LiveOutputBox live={item.live} />
      </>
    )}
    {item.output !== undefined && item.output !== "" && (
      <>
        <h3>{item.status === "completed" ? "Result" : "Answer"}</h3>
        <MonoBox label="Result" text={prettyText(item.output).replaceAll("\r\n", "\n")} />
      </>
    )}
    {item.isOutputTruncated && <CutNote />}
  </div>
);

const CutNote = () => <p class="hint">Too long to be shown whole here. The agent has all of it.</p>;
