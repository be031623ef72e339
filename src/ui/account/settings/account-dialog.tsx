/** The account: prices, notices, devices, organizations, installing, export and deletion. */
import { IconDownload } from "@tabler/icons-preact";
import { type Query, useIsFetching, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { explainFailure } from "../explain-failure.ts";
import { DEVICES_KEY, NOTICE_SETTINGS_KEY } from "../notices/notice-requests.ts";
import { NoticesPart } from "../notices/notices-part.tsx";
import { OrganizationPart } from "../organization/organization-part.tsx";
import { PEOPLE_KEY } from "../organization/organization-people.tsx";
import { INVITATIONS_QUERY } from "../organization/watch-invitations.ts";
import { useSession } from "../person.ts";
import { closeAccount } from "../sign-out.ts";
import { useAccountProblem } from "../use-account-problem.ts";
import { accountOpen } from "./account-open.ts";
import { ExportLink } from "./export-link.tsx";
import { InstallHint } from "./install-hint.tsx";
import { LOGINS_KEY, LoginList } from "./login-list.tsx";
import { SETTINGS_KEY } from "./price-requests.ts";
import { PricesPart } from "./prices-part.tsx";

/** What the parts read, by the first word of its key. */
const READS: ReadonlySet<unknown> = new Set(
  [SETTINGS_KEY, LOGINS_KEY, INVITATIONS_QUERY.queryKey, PEOPLE_KEY, NOTICE_SETTINGS_KEY, DEVICES_KEY].map(
    ([word]) => word,
  ),
);

/** A read that has not settled. Offline reads are paused; the dialog does not wait for those. */
const FIRST_READS = {
  predicate: ({ queryKey, state }: Query) =>
    READS.has(queryKey[0]) && state.status === "pending" && state.fetchStatus !== "paused",
};

/** How long the account waits for what its parts read, in ms. After that it shows what there is: nobody is kept from their export. */
const LONGEST_WAIT_MS = 5_000;

/** Whether the account can be shown without moving under a finger: all has been read once, or it has taken too long. */
const useIsComplete = (): boolean => {
  const client = useQueryClient();
  const [isComplete, setComplete] = useState(false);
  const reading = useIsFetching(FIRST_READS);
  // Looked up in the effect: what was read may have rendered a part that reads more.
  useEffect(() => {
    if (client.getQueryCache().findAll(FIRST_READS).length === 0) setComplete(true);
  }, [client, reading]);
  useEffect(() => {
    const timer = setTimeout(() => setComplete(true), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isComplete;
};

const AccountDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data: session } = useSession();
  const hasLogin = session?.authDisabled === false;
  const isComplete = useIsComplete();
  return (
    <Dialog title="Account" onClose={onClose}>
      {!isComplete && <p class="muted">Loading…</p>}
      <div hidden={!isComplete}>
        <section class="account-part">
          <p>
            {hasLogin ? "Signed in as " : "Signed in for development as "}
            <b>{session?.email}</b>
          </p>
          {!hasLogin && <p class="muted">Start the app with --auth to sign in with a code.</p>}
        </section>
        <PricesPart />
        {hasLogin && <LoginList />}
        {hasLogin && <OrganizationPart email={session.email} orgId={session.orgId} />}
        <InstallHint />
        <NoticesPart />
        <section class="account-part">
          <h3>Your data</h3>
          <p class="muted">All your stocks, chats and settings in one JSON file.</p>
          <ExportLink class="btn">
            <IconDownload size={18} stroke={1.75} aria-hidden="true" />
            Export my data
          </ExportLink>
        </section>
        {hasLogin && (
          <section class="account-part">
            <h3>Delete account</h3>
            <p class="muted">Everything that Tally stores for you is permanently deleted: stocks, chats and files.</p>
            <Button onClick={() => accountOpen.set("delete")}>Delete my account…</Button>
          </section>
        )}
      </div>
    </Dialog>
  );
};

/** The person confirms by typing their address. */
const DeleteAccountDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data: session } = useSession();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useAccountProblem();
  const [isDeleting, setDeleting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const remove = async (): Promise<void> => {
    if (isDeleting) return;
    if (typed.trim().toLowerCase() !== session?.email) {
      setProblem("Type the address exactly as shown above.");
      field.current?.focus();
      return;
    }
    setDeleting(true);
    setProblem(undefined);
    try {
      await closeAccount(session.email);
    } catch (error) {
      setProblem(explainFailure(error));
      setDeleting(false);
    }
  };
  return (
    <Dialog
      title="Delete your account?"
      size="narrow"
      onClose={onClose}
      onSubmit={() => void remove()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" type="submit" aria-disabled={isDeleting}>
            {isDeleting ? "Deleting…" : "Delete everything"}
          </Button>
        </>
      }
    >
      <div class="account-part">
        <p>
          Everything that Tally stores for you is permanently deleted: stocks, chats and files. You are signed out on
          all devices. If the agent is working, it stops. This cannot be undone.
        </p>
        <p>
          <ExportLink>Export your data</ExportLink> first if you want to keep it. Wait until the file is there: deleting
          cuts it off.
        </p>
        <Field label={<>Type {session?.email} to confirm</>} problem={problem}>
          {(control) => (
            <input
              {...control}
              ref={field}
              class="input"
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellcheck={false}
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        {problem && (
          <p class="vh" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
};

type ShownAccountDialogProps = { readonly dialog: "account" | "delete"; readonly onClose: () => void };

/** Open for as long as it is rendered. */
export const ShownAccountDialog = ({ dialog, onClose }: ShownAccountDialogProps) =>
  dialog === "account" ? <AccountDialog onClose={onClose} /> : <DeleteAccountDialog onClose={onClose} />;
