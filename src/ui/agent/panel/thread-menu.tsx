/** What can be done with a thread. */
import { IconDots, IconFold, IconPencil, IconShieldCheck, IconTrash } from "@tabler/icons-preact";
import { useEffect, useState } from "preact/hooks";
import { formatCost, formatExactCost } from "../../format/format-usage.ts";
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
  /** Called with its id once it is deleted; the person may look at another one by then. */
  readonly onDeleted: (threadId: string) => void;
  /** The button's name. */
  readonly label?: string;
};

export const ThreadMenu = ({ threadId, title, onDeleted, label = "Chat menu" }: ThreadMenuProps) => {
  const [dialog, setDialog] = useState<"rename" | "rules" | "compact" | "delete">();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Menu label={label} icon={IconDots}>
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
