/** Gives a thread another name. */
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { explainProblem } from "../conversation/explain-problem.ts";
import { renameThread } from "./thread-requests.ts";
import { useRefreshThreads } from "./use-threads.ts";

/** In UTF-16 units, as the server counts them (CONTRACT §2). */
const MAX_TITLE_LENGTH = 200;

type RenameThreadDialogProps = { readonly threadId: string; readonly title: string; readonly onClose: () => void };

/** Starts from the name there is. */
export const RenameThreadDialog = ({ threadId, title, onClose }: RenameThreadDialogProps) => {
  const refresh = useRefreshThreads();
  const [name, setName] = useState(title);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    if (isSaving) return;
    if (name.trim() === "") {
      setProblem("Give it a name of 1 to 200 characters.");
      return;
    }
    setSaving(true);
    try {
      await renameThread(threadId, name.trim());
      refresh();
      onClose();
    } catch (error) {
      setProblem(explainProblem(error));
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
