/** The bar above a conversation: the thread's name and what can be done with it. */
import {
  IconDots,
  IconFold,
  IconHistory,
  IconPencil,
  IconPlus,
  IconShieldCheck,
  IconTrash,
} from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatCost, formatExactCost } from "../../format/format-usage.ts";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { CompactDialog } from "./compact-dialog.tsx";
import { RulesDialog } from "./rules-dialog.tsx";
import { DeleteThreadDialog, RenameThreadDialog } from "./thread-dialogs.tsx";
import { useRefreshThreads, useThreads } from "./use-threads.ts";

/** Refreshed each time it is shown, because other tabs spend too. Nothing when no price is known. */
const ThreadCost = ({ threadId }: { readonly threadId: string }) => {
  const { threads } = useThreads();
  const refresh = useRefreshThreads();
  useEffect(refresh, [refresh]);
  const costUsd = threads?.find((thread) => thread.threadId === threadId)?.costUsd ?? undefined;
  if (costUsd === undefined) return null;
  return (
    <p class="menu-note" title={formatExactCost(costUsd, navigator.language)}>
      {formatCost(costUsd, navigator.language)} so far
    </p>
  );
};

type ThreadMenuProps = {
  readonly threadId: string;
  readonly title: string;
  readonly onDeleted: () => void;
};

const ThreadMenu = ({ threadId, title, onDeleted }: ThreadMenuProps) => {
  const [dialog, setDialog] = useState<"rename" | "rules" | "compact" | "delete">();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Menu label="Chat menu" icon={IconDots}>
        <button type="button" onClick={() => setDialog("rename")}>
          <IconPencil size={18} stroke={1.75} aria-hidden="true" />
          Rename
        </button>
        <button type="button" onClick={() => setDialog("rules")}>
          <IconShieldCheck size={18} stroke={1.75} aria-hidden="true" />
          Permissions
        </button>
        <button type="button" onClick={() => setDialog("compact")}>
          <IconFold size={18} stroke={1.75} aria-hidden="true" />
          Summarize earlier messages
        </button>
        <hr />
        <button type="button" class="danger" onClick={() => setDialog("delete")}>
          <IconTrash size={18} stroke={1.75} aria-hidden="true" />
          Delete chat
        </button>
        <ThreadCost threadId={threadId} />
      </Menu>
      {dialog === "rename" && <RenameThreadDialog threadId={threadId} title={title} onClose={close} />}
      {dialog === "rules" && <RulesDialog threadId={threadId} onClose={close} />}
      {dialog === "compact" && <CompactDialog threadId={threadId} onClose={close} />}
      {dialog === "delete" && (
        <DeleteThreadDialog threadId={threadId} title={title} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
};

type ThreadBarProps = {
  readonly threadId: string;
  readonly title: string;
  /** Shown before the thread's name where the name alone would be unclear. */
  readonly heading?: string;
  /** It has messages. A new thread has nothing to rename or delete. */
  readonly isKnown: boolean;
  readonly onNew: () => void;
  readonly onDeleted: () => void;
  readonly isListOpen?: boolean;
  /** Opens or closes the list where it is not always visible. */
  readonly onList?: () => void;
  /** More buttons at the end. */
  readonly children?: ComponentChildren;
};

export const ThreadBar = (props: ThreadBarProps) => {
  const { threadId, title, isKnown, onNew, onDeleted, isListOpen, onList, heading, children } = props;
  return (
    <div class="thread-bar">
      <h2>
        {heading && <span class="heading">{heading}</span>}
        <span class={heading ? "thread-title badge" : "thread-title"} title={title}>
          {isListOpen ? "Chats" : title}
        </span>
      </h2>
      {onList && <Button tone="ghost" icon={IconHistory} label="Chats" aria-expanded={isListOpen} onClick={onList} />}
      {isKnown && (
        <>
          <Button tone="ghost" icon={IconPlus} label="New chat" onClick={onNew} />
          <ThreadMenu threadId={threadId} title={title} onDeleted={onDeleted} />
        </>
      )}
      {children}
    </div>
  );
};
