/** The dialogs of the account; loaded when the first one opens. */
import { useStore } from "../state/use-store.ts";
import { AccountDialog } from "./account-dialog.tsx";
import { accountOpen } from "./account-open.ts";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

/** The one that is open. */
export const AccountDialogs = () => {
  const open = useStore(accountOpen);
  if (open === "account") return <AccountDialog onClose={() => accountOpen.set(undefined)} />;
  if (open === "delete") return <DeleteAccountDialog onClose={() => accountOpen.set(undefined)} />;
  return null;
};
