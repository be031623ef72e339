/** Who decided a request, and how. */
import { IconShieldCheck, IconShieldX } from "@tabler/icons-preact";
import type { PermissionReply } from "../transcript-item.ts";

/** The sentence for a reply. */
export const outcomeWords = ({ decision, by }: Pick<PermissionReply, "decision" | "by">): string => {
  switch (decision) {
    case "allow_once":
      return "You allowed this once.";
    case "allow_always":
      return by === "rule" ? "Allowed by a standing rule of this chat." : "You always allow this in this chat.";
    case "reject":
      return "You rejected this.";
    case "expired":
      return "Nobody answered in time, so it was not done.";
    case "aborted":
      return "Stopped before an answer, so it was not done.";
  }
};

type PermissionOutcomeProps = { readonly reply: PermissionReply; readonly words?: string };

/** One line in place of the card. */
export const PermissionOutcome = ({ reply, words = outcomeWords(reply) }: PermissionOutcomeProps) => {
  const isAllowed = reply.decision === "allow_once" || reply.decision === "allow_always";
  const OutcomeIcon = isAllowed ? IconShieldCheck : IconShieldX;
  return (
    <p class="outcome">
      <OutcomeIcon size={16} stroke={1.75} aria-hidden="true" />
      <span>
        {words}
        {reply.message !== undefined && (
          <q>
            <bdi>{reply.message}</bdi>
          </q>
        )}
      </span>
    </p>
  );
};
