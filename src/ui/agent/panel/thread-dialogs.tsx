import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { focusProblem } from "../../parts/task/focus-problem.ts";
import { useIsGone, useProblem } from "../../parts/task/use-problem.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { forgetThread } from "../conversation/kept-thread.ts";
import { leaveThread } from "./current-thread.ts";
import { deleteThread, renameThread, useRefreshThreads } from "./use-threads.ts";

/** In UTF-16 units, as the server counts them (api.md §2). */
const MAX_TITLE_LENGTH = 200;

type RenameThreadDialogProps = { readonly threadId: string; readonly title: string; readonly onClose: () => void };

/** Starts with the current name. */
export const RenameThreadDialog = ({ threadId, title, onClose }: RenameThreadDialogProps) => {
  const refresh = useRefreshThreads();
  const [name, setName] = useState(title);
  const [problem, setProblem] = useProblem("The chat may not have been renamed.");
  const isGone = useIsGone();
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refuse = (why: string): void => {
    setProblem(why);
    focusProblem(field.current, why);
  };
  const save = async (): Promise<void> => {
    if (isSaving) return;
    if (name.trim() === "") return refuse("Enter a name of 1 to 200 characters.");
    setSaving(true);
    try {
      await renameThread(threadId, name.trim());
      refresh();
      // It may have been closed, and another dialog opened.
      if (!isGone()) onClose();
    } catch (error) {
      refuse(explainProblem(error));
      setSaving(false);
    }
  };
  return (
    <Dialog
      title="Rename chat"
      size="narrow"
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" aria-disabled={isSaving}>
            Rename
          </Button>
        </>
      }
    >
      <Field label="Name" problem={problem}>
        {(control) => (
          <input
            {...control}
            ref={field}
            class="input"
            maxLength={MAX_TITLE_LENGTH}
            value={name}
            autoFocus
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  );
};

type DeleteThreadDialogProps = {
  readonly threadId: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onDeleted: (threadId: string) => void;
};

export const DeleteThreadDialog = ({ threadId, title, onClose, onDeleted }: DeleteThreadDialogProps) => {
  const refresh = useRefreshThreads();
  const [problem, setProblem] = useProblem("The chat may not have been deleted.");
  const [isDeleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    if (isDeleting) return;
    setDeleting(true);
    try {
      await deleteThread(threadId);
      refresh();
      onClose();
      onDeleted(threadId);
      leaveThread(threadId);
      forgetThread(threadId);
    } catch (error) {
      setProblem(explainProblem(error));
      setDeleting(false);
    }
  };
  return (
    <Dialog
      title="Delete this chat?"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          {/* Closing it does not stop the deletion. */}
          <Button onClick={onClose}>{isDeleting ? "Close" : "Cancel"}</Button>
          <Button tone="danger" aria-disabled={isDeleting} onClick={() => void remove()}>
            {isDeleting ? "Deleting…" : "Delete chat"}
          </Button>
        </>
      }
    >
      <p>
        “<bdi>{title}</bdi>” and its permissions are permanently deleted. If the agent is working, it stops. Your stocks
        stay.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};
