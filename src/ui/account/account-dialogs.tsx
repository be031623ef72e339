/** The account's dialogs over whatever screen it is: outside of the frame's landmarks, which a dialog must not stand in. */
import { lazy } from "../parts/lazy.ts";
import { DialogBoundary } from "../shell/dialog-boundary.tsx";
import { useStore } from "../state/use-store.ts";
import { accountOpen } from "./account-open.ts";

const ShownAccountDialog = lazy(async () => (await import("./shown-account-dialog.tsx")).ShownAccountDialog);

/** Once in the app. */
export const AccountDialogs = () => {
  const dialog = useStore(accountOpen);
  const close = (): void => accountOpen.set(undefined);
  if (dialog === undefined) return null;
  return (
    <DialogBoundary onClose={close}>
      <ShownAccountDialog dialog={dialog} onClose={close} />
    </DialogBoundary>
  );
};
