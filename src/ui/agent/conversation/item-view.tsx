/** One item of a transcript. */
import { useMemo } from "preact/hooks";
import { ForeignText } from "../permission/foreign-text.tsx";
import type { TranscriptItem } from "../transcript-item.ts";
import { BudgetView } from "./budget-view.tsx";
import { ContextView } from "./context-view.tsx";
import { MessageView } from "./message-view.tsx";
import { RetryNotice } from "./retry-notice.tsx";
import { SummaryView } from "./summary-view.tsx";
import { ToolCard } from "./tool-card.tsx";
import { UserMessage } from "./user-message.tsx";

type ItemViewProps = { readonly item: TranscriptItem; readonly runId: string; readonly isLive: boolean };

/** Rendered anew only when the item is another: a delta touches one of thousands. */
export const ItemView = ({ item, runId, isLive }: ItemViewProps) =>
  useMemo(() => {
    switch (item.type) {
      case "user":
        return <UserMessage item={item} runId={runId} />;
      case "context":
        return <ContextView item={item} />;
      case "summary":
        return <SummaryView item={item} />;
      case "reset":
        return (
          <p class="notice">
            Started fresh: {item.reason} You still see earlier messages here, but the model gets them as plain text or
            not at all.
          </p>
        );
      case "message":
        return <MessageView item={item} />;
      case "tool":
        return <ToolCard item={item} runId={runId} isLive={isLive} />;
      case "budget":
        return <BudgetView item={item} runId={runId} isLive={isLive} />;
      case "retry":
        return <RetryNotice item={item} />;
      case "restart":
        return <p class="notice">The server restarted. The agent goes on where it was.</p>;
      case "workspace":
        return (
          <p class="notice warn">
            The agent now works in <ForeignText text={item.to} isCode />, no longer in{" "}
            <ForeignText text={item.from} isCode />.
          </p>
        );
    }
  }, [item, runId, isLive]);
