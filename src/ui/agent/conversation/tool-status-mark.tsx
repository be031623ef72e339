/** How a call stands: a picture and a word, so that no colour says it alone. */
import {
  type Icon,
  IconBan,
  IconCheck,
  IconExclamationCircle,
  IconHandStop,
  IconHelpCircle,
  IconLoader2,
  IconShieldQuestion,
} from "@tabler/icons-preact";
import type { ToolItem } from "../transcript-item.ts";

const FACES: Readonly<Record<ToolItem["status"], readonly [Icon, string]>> = {
  running: [IconLoader2, "Running"],
  completed: [IconCheck, "Done"],
  failed: [IconExclamationCircle, "Failed"],
  denied: [IconBan, "Not allowed"],
  aborted: [IconHandStop, "Stopped"],
  unknown: [IconHelpCircle, "Outcome unknown"],
};

const ASKING: readonly [Icon, string] = [IconShieldQuestion, "Asks you"];

type ToolStatusMarkProps = {
  readonly status: ToolItem["status"];
  readonly isAsking: boolean;
  /** A run that is not followed to its end says nothing of its calls. */
  readonly isLive: boolean;
};

/** At the end of the card's first line. */
export const ToolStatusMark = ({ status, isAsking, isLive }: ToolStatusMarkProps) => {
  if (status === "running" && !isLive) return null;
  const [StatusIcon, word] = isAsking ? ASKING : FACES[status];
  return (
    <span class={`state ${isAsking ? "asking" : status}`}>
      <StatusIcon size={16} stroke={2} aria-hidden="true" />
      {word}
    </span>
  );
};
