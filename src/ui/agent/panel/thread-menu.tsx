/** What can be done with a thread. */
import { IconDots, IconFold, IconPencil, IconShieldCheck, IconTrash } from "@tabler/icons-preact";
import { useEffect, useState } from "preact/hooks";
import { LOCALE } from "../../format/format-number.ts";
import { formatCost, formatExactCost } from "../../format/format-usage.ts";
import { Menu } from "../../parts/menu.tsx";
import { CompactDialog } from "./compact-dialog.tsx";
import { RulesDialog } from "./rules-dialog.tsx";
import { DeleteThreadDialog, RenameThreadDialog } from "./thread-dialogs.tsx";
import { useRefreshThreads, useThreads } from "./use-threads.ts";

/** Refreshed each time it is shown, because other tabs spend too. Shows nothing when no price is known. */
const ThreadCost = ({ threadId }: { readonly threadId: string }) => {
  const { threads } = useThreads();
  const refresh = useRefreshThreads();
  useEffect(refresh, [refresh]);
  const costUsd = threads?.find((thread) => thread.threadId === threadId)?.costUsd ?? undefined;
  if (costUsd === undefined) return null;
  return (
    <p class="menu-note" title={formatExactCost(costUsd, LOCALE)}>
      {formatCost(costUsd, LOCALE)} so far
    </p>
  );
};

type ThreadDialogName = "rename" | "rules" | "compact" | "delete";

export type ThreadDialogProps = {
  readonly dialog: ThreadDialogName;
  readonly threadId: string;
  readonly title: string;
  readonly onClose: () => void;
  /** Called with the thread's id once it is deleted. The person may be looking at another thread by then. */
  readonly onDeleted: (threadId: string) => void;
};

/** What a thread's menu opens. */
export const ThreadDialog = ({ dialog, threadId, title, onClose, onDeleted }: ThreadDialogProps) => {
  if (dialog === "rename") return <RenameThreadDialog threadId={threadId} title={title} onClose={onClose} />;
  if (dialog === "rules") return <RulesDialog threadId={threadId} onClose={onClose} />;
  if (dialog === "compact") return <CompactDialog threadId={threadId} onClose={onClose} />;
  return <DeleteThreadDialog threadId={threadId} title={title} onClose={onClose} onDeleted={onDeleted} />;
};

type ThreadMenuButtonProps = {
  readonly threadId: string;
  /** The button's name. */
  readonly label: string;
  readonly onOpen: (dialog: ThreadDialogName) => void;
};

/** The menu without its dialogs, for a row that may be removed while one of them is open. */
export const ThreadMenuButton = ({ threadId, label, onOpen }: ThreadMenuButtonProps) => (
  <Menu label={label} icon={IconDots}>
    <button type="button" onClick={() => onOpen("rename")}>
      <IconPencil size={18} stroke={1.75} aria-hidden="true" />
      Rename
    </button>
    <button type="button" onClick={() => onOpen("rules")}>
      <IconShieldCheck size={18} stroke={1.75} aria-hidden="true" />
      Permissions
    </button>
    <button type="button" onClick={() => onOpen("compact")}>
      <IconFold size={18} stroke={1.75} aria-hidden="true" />
      Summarize earlier messages
    </button>
    <hr />
    <button type="button" class="danger" onClick={() => onOpen("delete")}>
      <IconTrash size={18} stroke={1.75} aria-hidden="true" />
      Delete chat
    </button>
    <ThreadCost threadId={threadId} />
  </Menu>
);

type ThreadMenuProps = Pick<ThreadDialogProps, "threadId" | "title" | "onDeleted">;

export const ThreadMenu = ({ threadId, title, onDeleted }: ThreadMenuProps) => {
  const [dialog, setDialog] = useState<ThreadDialogName>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <ThreadMenuButton threadId={threadId} label="Chat menu" onOpen={setDialog} />
      {dialog && <ThreadDialog {...{ dialog, threadId, title, onDeleted }} onClose={close} />}
    </>
  );
};
