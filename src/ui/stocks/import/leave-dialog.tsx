/** Asks before an import is stopped, or one that was prepared is thrown away. */
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

type LeaveDialogProps = {
  /** Stocks are being sent. */
  readonly isBusy: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
};

/** Escape stays. */
export const LeaveDialog = ({ isBusy, onStay, onLeave }: LeaveDialogProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  // The safe choice is the one that Enter presses.
  useEffect(() => buttons.current?.querySelector("button")?.focus(), []);
  return (
    <Dialog title={isBusy ? "Stop the import?" : "Discard this import?"} size="narrow" onClose={onStay}>
      <p>
        {isBusy
          ? "What is in your list already stays there. The rest will be shown, so that you can copy it."
          : "Nothing has been added to your list yet."}
      </p>
      <div class="dialog-actions" ref={buttons}>
        <Button onClick={onStay}>{isBusy ? "Go on" : "Keep it"}</Button>
        <Button tone="danger" onClick={onLeave}>
          {isBusy ? "Stop the import" : "Discard"}
        </Button>
      </div>
    </Dialog>
  );
};
