/** What can be done with a message of one's own: change it and go on from there, or go on from there in a new chat. */
import { IconArrowFork, IconPencil } from "@tabler/icons-preact";
import { useContext, useState } from "preact/hooks";
import { Button } from "../../../parts/button.tsx";
import { showToast } from "../../../parts/toasts.tsx";
import { useRefreshThreads } from "../../panel/use-threads.ts";
import type { UserItem } from "../../stream/transcript-item.ts";
import { ConversationContext } from "../conversation-context.ts";
import { keepDraft } from "../draft.ts";
import { explainProblem } from "../explain-problem.ts";
import { readWholePrompt } from "../run/run-requests.ts";
import { forkThread } from "./lead-requests.ts";

type OwnMessageActionsProps = {
  readonly item: UserItem;
  readonly runId: string;
};

/** Not shown while the agent works, nor on a message that was replaced. */
export const OwnMessageActions = ({ item, runId }: OwnMessageActionsProps) => {
  const { threadId, edit, wasPlanned, openThread } = useContext(ConversationContext);
  const refreshThreads = useRefreshThreads();
  const [isBusy, setBusy] = useState(false);
  const withText = async (act: (text: string) => Promise<void> | void): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act(item.isTruncated ? await readWholePrompt(runId) : item.text);
    } catch (error) {
      showToast({ text: explainProblem(error), tone: "bad" });
    }
    setBusy(false);
  };
  const branch = async (text: string): Promise<void> => {
    const fork = await forkThread(threadId, runId);
    keepDraft(fork, { text, isPlan: wasPlanned(runId) });
    refreshThreads();
    openThread(fork);
  };
  return (
    <div class="own-actions">
      <Button
        isSmall
        tone="ghost"
        icon={IconPencil}
        aria-disabled={isBusy}
        label="Edit"
        onClick={() => void withText((text) => edit({ runId, text, isPlan: wasPlanned(runId) }))}
      />
      <Button
        isSmall
        tone="ghost"
        icon={IconArrowFork}
        label="Branch from here"
        aria-disabled={isBusy}
        onClick={() => void withText(branch)}
      />
    </div>
  );
};
