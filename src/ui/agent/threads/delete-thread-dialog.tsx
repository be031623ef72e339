/** Asks before a thread goes: this one cannot be undone. */
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { explainProblem } from "../conversation/explain-problem.ts";
import { forgetThread } from "../conversation/thread-keeper.ts";
import { leaveThread } from "../current-thread.ts";
import { deleteThread } from "./thread-requests.ts";
import { useRefreshThreads } from "./use-threads.ts";

type DeleteThreadDialogProps = {
  readonly threadId: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

/** Says what goes and what stays. */
export const DeleteThreadDialog = ({ threadId, title, onClose, onDeleted }: DeleteThreadDialogProps) => {
  const refresh = useRefreshThreads();
  const [problem, setProblem] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    if (isDeleting) return;
    setDeleting(true);
    try {
      await deleteThread(threadId);
      refresh();
      onClose();
      leaveThread(threadId);
      onDeleted();
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
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" aria-disabled={isDeleting} onClick={() => void remove()}>
            {isDeleting ? "Deleting…" : "Delete chat"}
          </Button>
        </>
      }
    >
      <p>
        “<bdi>{title}</bdi>” goes for good, with its standing rules. The agent stops if it is at work. Your stocks stay.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};
