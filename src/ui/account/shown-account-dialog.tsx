/** The dialog of the account that is asked for; loaded when the first one opens. */
import { AccountDialog } from "./account-dialog.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

type ShownAccountDialogProps = { readonly dialog: "account" | "delete"; readonly onClose: () => void };

/** Open for as long as it is rendered. */
export const ShownAccountDialog = ({ dialog, onClose }: ShownAccountDialogProps) =>
  dialog === "account" ? <AccountDialog onClose={onClose} /> : <DeleteAccountDialog onClose={onClose} />;
