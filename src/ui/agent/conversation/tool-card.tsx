/** One tool call: what it is, how it stands, and, unfolded, what went in and came out. */
import { useState } from "preact/hooks";
import { ForeignText } from "../permission/foreign-text.tsx";
import type { ToolItem } from "../transcript-item.ts";
import { formatDuration } from "./format-duration.ts";
import { LiveTail } from "./live-tail.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PermissionOutcome } from "./permission-outcome.tsx";
import { stocksOfCall } from "./stocks-of-call.ts";
import { ToolDetails } from "./tool-details.tsx";
import { toolIcon } from "./tool-icon.ts";
import { ToolStatusMark } from "./tool-status-mark.tsx";

type ToolCardProps = { readonly item: ToolItem; readonly runId: string; readonly isLive: boolean };

/** Folded at first; a question and a command's newest output show without unfolding. */
export const ToolCard = ({ item, runId, isLive }: ToolCardProps) => {
  const [isOpen, setOpen] = useState(false);
  const ToolIcon = toolIcon(item);
  const { permission, status } = item;
  const isAsking = permission !== undefined && permission.reply === undefined && status === "running";
  const isWriting = status === "running" && item.live.parts.length > 0;
  const stocks = stocksOfCall(item);
  return (
    <div class="call">
      <details class="tool-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <ToolIcon size={18} stroke={1.75} aria-hidden="true" />
          <span class="name">
            <b>
              <ForeignText text={item.title} isCode />
            </b>{" "}
            <code>
              <ForeignText text={item.tool} isCode />
            </code>
          </span>
          {item.durationMs !== undefined && item.durationMs >= 1_000 && (
            <span class="took">{formatDuration(item.durationMs)}</span>
          )}
          <ToolStatusMark status={status} isAsking={isAsking} isLive={isLive} />
        </summary>
        {isOpen && <ToolDetails item={item} />}
      </details>
      {isWriting && !isOpen && <LiveTail live={item.live} />}
      {isAsking && permission && (
        <PermissionCard key={permission.requestId} permission={permission} runId={runId} isLive={isLive} />
      )}
      {(permission?.reply || stocks.length > 0) && (
        <div class="call-foot">
          {permission?.reply && <PermissionOutcome reply={permission.reply} />}
          {stocks.map(({ id, label }) => (
            <a key={id} href={`/stocks?dialog=detail&id=${id}`}>
              <ForeignText text={label} isCode />
            </a>
          ))}
        </div>
      )}
    </div>
  );
};
