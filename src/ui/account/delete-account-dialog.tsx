/** Asks before everything of the person goes: nothing of it can be undone. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { useSession } from "../shell/use-session.ts";
import { EXPORT_PATH } from "./auth-requests.ts";
import { explainSignIn } from "./explain-sign-in.ts";
import { leaveForGood } from "./sign-out.ts";

/** Confirmed by typing the address. */
export const DeleteAccountDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data: session } = useSession();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const remove = async (): Promise<void> => {
    if (isDeleting) return;
    if (typed.trim().toLowerCase() !== session?.email) {
      setProblem("Type the address exactly as it stands above.");
      field.current?.focus();
      return;
    }
    setDeleting(true);
    setProblem(undefined);
    try {
      await leaveForGood(session.email);
    } catch (error) {
      setProblem(explainSignIn(error));
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
          Your stocks, chats, files and log-ins go for good, on all devices. The agent stops if it is at work. Nothing
          of it can be brought back.
        </p>
        <p>
          <a href={EXPORT_PATH} download>
            Export your data
          </a>{" "}
          first if you want to keep it.
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
