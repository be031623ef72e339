/** What can be done with the thread that is shown. */
import { IconDots, IconFold, IconPencil, IconShieldCheck, IconTrash } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { Menu } from "../../parts/menu.tsx";
import { CompactDialog } from "./compact-dialog.tsx";
import { DeleteThreadDialog } from "./delete-thread-dialog.tsx";
import { RenameThreadDialog } from "./rename-thread-dialog.tsx";
import { RulesDialog } from "./rules-dialog.tsx";
import { ThreadCost } from "./thread-cost.tsx";

type ThreadMenuProps = {
  readonly threadId: string;
  readonly title: string;
  readonly onDeleted: () => void;
};

/** Rename, standing rules, a summary, delete, and what it all cost. */
export const ThreadMenu = ({ threadId, title, onDeleted }: ThreadMenuProps) => {
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
          Standing rules
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
