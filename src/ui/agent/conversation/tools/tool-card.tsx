/** One tool call: its title and status and, unfolded, what went in and came out. */
import {
  type Icon,
  IconArrowUpRight,
  IconBan,
  IconCheck,
  IconExclamationCircle,
  IconEye,
  IconFileText,
  IconFolder,
  IconHandStop,
  IconHelpCircle,
  IconLoader2,
  IconPencil,
  IconSearch,
  IconTerminal2,
  IconTrash,
  IconTrendingUp,
} from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { stockPath } from "../../../../contract/screen/stock-path.ts";
import { formatDuration } from "../../../format/format-usage.ts";
import { ForeignText } from "../../permission/foreign-text.tsx";
import { PermissionCard, PermissionOutcome } from "../../permission/permission-card.tsx";
import { requestTitle } from "../../permission/request-title.ts";
import type { ToolItem } from "../../stream/transcript-item.ts";
import { LiveTail } from "./live-tail.tsx";
import { failureOfCall, stocksOfCall, ToolDetails } from "./tool-details.tsx";

const OF_TOOL: Readonly<Record<string, Icon>> = {
  read_file: IconFileText,
  list_files: IconFolder,
  search_files: IconSearch,
  delete_file: IconTrash,
  navigate: IconArrowUpRight,
  "delete-stock": IconTrash,
};

const OF_KIND: Readonly<Record<ToolItem["kind"], Icon>> = {
  read: IconEye,
  edit: IconPencil,
  execute: IconTerminal2,
};

/** Chosen by the tool's name, otherwise by its kind. */
const toolIcon = ({ tool, kind }: Pick<ToolItem, "tool" | "kind">): Icon =>
  OF_TOOL[tool] ?? (/-stocks?$/.test(tool) ? IconTrendingUp : OF_KIND[kind]);

const FACES: Readonly<Record<ToolItem["status"], readonly [Icon, string]>> = {
  running: [IconLoader2, "Running"],
  completed: [IconCheck, "Done"],
  failed: [IconExclamationCircle, "Failed"],
  denied: [IconBan, "Not allowed"],
  aborted: [IconHandStop, "Stopped"],
  unknown: [IconHelpCircle, "Outcome unknown"],
};

type ToolStatusMarkProps = {
  readonly status: ToolItem["status"];
  /** The calls of a run that is no longer followed show no "Running". */
  readonly isLive: boolean;
  /** The person's answer was no. */
  readonly isRejected: boolean;
};

const ToolStatusMark = ({ status, isLive, isRejected }: ToolStatusMarkProps) => {
  if (status === "running" && !isLive) return null;
  const [StatusIcon, word] = FACES[status];
  return (
    <span class={`state ${status}`}>
      <StatusIcon size={16} stroke={2} aria-hidden="true" />
      {status === "denied" && isRejected ? "Rejected" : word}
    </span>
  );
};

type ToolCardProps = { readonly item: ToolItem; readonly runId: string; readonly isLive: boolean };

/** What the call was given, folded, below a request. */
const AskedDetails = ({ item }: { readonly item: ToolItem }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="asked-details" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Details{" "}
        <code>
          <ForeignText text={item.tool} isCode />
        </code>
      </summary>
      {isOpen && <ToolDetails item={item} />}
    </details>
  );
};

/** A call's card: folded, with the reason of a failure and a command's newest output. While the call asks, only the question. */
export const ToolCard = ({ item, runId, isLive }: ToolCardProps) => {
  const { permission, status } = item;
  if (permission === undefined || permission.reply !== undefined || status !== "running")
    return <CallCard item={item} isLive={isLive} />;
  return (
    <div class="call">
      <PermissionCard
        key={permission.requestId}
        permission={permission}
        runId={runId}
        isLive={isLive}
        icon={toolIcon(item)}
        details={<AskedDetails item={item} />}
      />
    </div>
  );
};

const CallCard = ({ item, isLive }: Omit<ToolCardProps, "runId">) => {
  const [isOpen, setOpen] = useState(false);
  const ToolIcon = toolIcon(item);
  const { permission, status } = item;
  const isWriting = status === "running" && item.live.parts.length > 0;
  const stocks = stocksOfCall(item);
  const failure = failureOfCall(item);
  const title = permission === undefined ? item.title : requestTitle(permission);
  return (
    <div class="call">
      <details class="tool-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <ToolIcon size={18} stroke={1.75} aria-hidden="true" />
          <span class="name">
            <b>
              <ForeignText text={title} isCode />
            </b>{" "}
            {/* A call whose input was refused has no title of its own. */}
            {title !== item.tool && (
              <code>
                <ForeignText text={item.tool} isCode />
              </code>
            )}
          </span>
          {item.durationMs !== undefined && item.durationMs >= 1_000 && (
            <span class="took">{formatDuration(item.durationMs)}</span>
          )}
          <ToolStatusMark status={status} isLive={isLive} isRejected={permission?.reply?.decision === "reject"} />
        </summary>
        {isOpen && <ToolDetails item={item} />}
      </details>
      {failure !== undefined && !isOpen && (
        <p class="problem">
          <ForeignText text={failure} isCode />
        </p>
      )}
      {isWriting && !isOpen && <LiveTail live={item.live} />}
      {(permission?.reply || stocks.length > 0) && (
        <div class="call-foot">
          {permission?.reply && <PermissionOutcome reply={permission.reply} />}
          {stocks.map(({ id, label }) => (
            <a key={id} href={stockPath(id)}>
              <ForeignText text={label} isCode />
            </a>
          ))}
        </div>
      )}
    </div>
  );
};
