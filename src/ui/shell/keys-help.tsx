/** The help on keys over whatever screen it is: outside of the frame's landmarks, which a dialog must not stand in. */
import { lazy } from "../parts/lazy.ts";
import { createStore } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";
import { DialogBoundary } from "./dialog-boundary.tsx";

const HelpDialog = lazy(async () => (await import("./help-dialog.tsx")).HelpDialog);

/** Set to open it from anywhere. */
export const isHelpOpen = createStore(false);

/** Once in the app. */
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
