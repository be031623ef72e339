/** The account: where the person is signed in, their organizations, their data, and the end of it all. */
import { IconDownload } from "@tabler/icons-preact";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useSession } from "../shell/use-session.ts";
import { accountOpen } from "./account-open.ts";
import { EXPORT_PATH } from "./auth-requests.ts";
import { LoginList } from "./login-list.tsx";
import { OrganizationPart } from "./organization-part.tsx";

/** Open for as long as it is rendered. */
export const AccountDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data: session } = useSession();
  const hasLogin = session?.authDisabled === false;
  return (
    <Dialog title="Account" onClose={onClose}>
      <section class="account-part">
        <p>
          {hasLogin ? "Signed in as " : "Signed in for development as "}
          <b>{session?.email}</b>
        </p>
        {!hasLogin && <p class="muted">Start the app with --auth to sign in by a code.</p>}
      </section>
      {hasLogin && <LoginList />}
      {hasLogin && <OrganizationPart email={session.email} orgId={session.orgId} />}
      <section class="account-part">
        <h3>Your data</h3>
        <p class="muted">Everything of yours as one JSON file: stocks, chats and settings.</p>
        <a class="btn" href={EXPORT_PATH} download>
          <IconDownload size={18} stroke={1.75} aria-hidden="true" />
          Export my data
        </a>
      </section>
      {hasLogin && (
        <section class="account-part">
          <h3>Delete the account</h3>
          <p class="muted">Everything of yours goes for good: stocks, chats, files and log-ins.</p>
          <Button onClick={() => accountOpen.set("delete")}>Delete my account…</Button>
        </section>
      )}
    </Dialog>
  );
};
