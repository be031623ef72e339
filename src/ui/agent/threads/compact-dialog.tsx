/** Asks before earlier messages are summarized: it costs a call of the model, and answers rest on the summary afterwards. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { compactedWords, explainCompaction } from "./compaction-words.ts";
import { compactThread } from "./thread-requests.ts";

type CompactDialogProps = { readonly threadId: string; readonly onClose: () => void };

/** Closing it stops nothing that has begun: what comes of it is then told by a note. */
export const CompactDialog = ({ threadId, onClose }: CompactDialogProps) => {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const summarize = async (): Promise<void> => {
    if (isWorking) return;
    setWorking(true);
    setProblem(undefined);
    try {
      const words = compactedWords(await compactThread(threadId));
      showToast({ text: words });
      if (isOpen.current) onClose();
    } catch (error) {
      const words = explainCompaction(error);
      if (isOpen.current) setProblem(words);
      else showToast({ text: words, tone: "bad" });
      setWorking(false);
    }
  };
  return (
    <Dialog
      title="Summarize earlier messages?"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{isWorking ? "Close" : "Cancel"}</Button>
          <Button tone="primary" aria-disabled={isWorking} onClick={() => void summarize()}>
            {isWorking ? "Summarizing…" : "Summarize"}
          </Button>
        </>
      }
    >
      <p>
        The agent goes on from a short summary instead of the whole chat, so its next answers cost less. You still see
        every message. Making the summary is one call to the model and can take a minute or two.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};
