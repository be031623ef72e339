import { DialogBoundary } from "../parts/error-screen.tsx";
import { lazy } from "../parts/lazy.ts";
import { createStore, useStore } from "../state/store.ts";

const HelpDialog = lazy(async () => (await import("../parts/help-dialog.tsx")).HelpDialog);

/** Set it to open the dialog from anywhere. */
export const isHelpOpen = createStore(false);

/** The dialog of keyboard shortcuts, over any screen. Rendered once, outside of the frame's landmarks. */
export const KeysHelp = () => {
  const isOpen = useStore(isHelpOpen);
  const close = (): void => isHelpOpen.set(false);
  if (!isOpen) return null;
  return (
    <DialogBoundary onClose={close}>
      <HelpDialog onClose={close} />
    </DialogBoundary>
  );
};
