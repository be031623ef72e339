/** Asks before unsaved changes are discarded. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

type DiscardDialogProps = { readonly onKeep: () => void; readonly onDiscard: () => void };

/** Escape keeps the changes. */
export const DiscardDialog = ({ onKeep, onDiscard }: DiscardDialogProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  // Enter presses the safe choice.
  useLayoutEffect(() => buttons.current?.querySelector("button")?.focus(), []);
  return (
    <Dialog title="Discard your changes?" size="narrow" onClose={onKeep}>
      <div class="dialog-actions" ref={buttons}>
        <Button onClick={onKeep}>Keep editing</Button>
        <Button tone="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
};
