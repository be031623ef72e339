/** Says when a run's stream is not simply open. */
import { Button } from "../../parts/button.tsx";
import type { CloseReason } from "../stream-connection.ts";
import type { ThreadRun } from "../thread-run.ts";
import type { KeptThread } from "./kept-thread.ts";

type RunConnectionProps = { readonly run: ThreadRun; readonly thread: KeptThread; readonly isLive: boolean };

/** Nothing while all is well. */
export const RunConnection = ({ run: { connection }, thread, isLive }: RunConnectionProps) => {
  if (connection?.state === "waiting" && isLive) {
    return (
      <div class="notice warn" role="status">
        <p>The connection was lost. The agent goes on; this page catches up when it is back.</p>
        <Button isSmall onClick={() => thread.transcript.reconnect()}>
          Reconnect
        </Button>
      </div>
    );
  }
  const words = connection?.state === "closed" ? CLOSED_WORDS[connection.reason] : undefined;
  if (words === undefined) return null;
  return (
    <div class="notice warn">
      <p>{words}</p>
    </div>
  );
};

/** Reasons that are no news have no words. */
const CLOSED_WORDS: Readonly<Partial<Record<CloseReason, string>>> = {
  signed_out: "You are signed out. Sign in to see the rest.",
  not_found: "This part of the conversation no longer exists.",
  expired: "This part of the conversation is older than 30 days and no longer kept.",
  refused: "The rest cannot be read by this version of the app. Reload the page.",
};
