/** What can be done with the thread that is shown. */
import { IconDots, IconPencil, IconShieldCheck, IconTrash } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { Menu } from "../../parts/menu.tsx";
import { DeleteThreadDialog } from "./delete-thread-dialog.tsx";
import { RenameThreadDialog } from "./rename-thread-dialog.tsx";
import { RulesDialog } from "./rules-dialog.tsx";

type ThreadMenuProps = {
  readonly threadId: string;
  readonly title: string;
  readonly onDeleted: () => void;
};

/** Rename, standing rules, delete. */
export const ThreadMenu = ({ threadId, title, onDeleted }: ThreadMenuProps) => {
  const [dialog, setDialog] = useState<"rename" | "rules" | "delete">();
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
        <hr />
        <button type="button" class="danger" onClick={() => setDialog("delete")}>
          <IconTrash size={18} stroke={1.75} aria-hidden="true" />
          Delete chat
        </button>
      </Menu>
      {dialog === "rename" && <RenameThreadDialog threadId={threadId} title={title} onClose={close} />}
      {dialog === "rules" && <RulesDialog threadId={threadId} onClose={close} />}
      {dialog === "delete" && (
        <DeleteThreadDialog threadId={threadId} title={title} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
};
