/** What is beside the composer's buttons: where the agent works, which model answers, and whether it plans first. */
import { IconFolder, IconListCheck } from "@tabler/icons-preact";
import { Button } from "../../parts/button.tsx";
import { isChoice } from "../model/model-choice.ts";
import { ModelPicker } from "../model/model-picker.tsx";
import { type ChatModel, HARNESS_NAMES } from "../model/use-model-choice.ts";
import { ForeignText, shownText } from "../permission/foreign-text.tsx";
import type { ThreadRun } from "../stream/thread-run.ts";

/** The last name of a path, as people call a directory. */
const nameOf = (dir: string): string => dir.split(/[\\/]+/).findLast((name) => name !== "" && name !== ".") ?? dir;

export const placeholderOf = (dir: string | undefined): string =>
  dir === undefined ? "Ask about your stocks…" : "Ask about your stocks or your files…";

/** The placeholder while a run works, or waits for the person. */
export const queuePlaceholder = ({ transcript: { status } }: ThreadRun): string =>
  status === "waiting_permission" ? "Answer above, or queue a follow-up…" : "Queue a follow-up…";

/** Where the agent reads and changes files. */
export const WorkspaceName = ({ dir }: { readonly dir: string | undefined }) =>
  dir === undefined ? null : (
    <span class="workspace" title={`The agent works in ${shownText(dir)}`}>
      <IconFolder size={16} stroke={1.75} aria-hidden="true" />
      <span class="vh">Works in </span>
      <ForeignText text={nameOf(dir)} isCode />
    </span>
  );

type ComposerAboutProps = {
  readonly chatModel: ChatModel;
  /** The model that answered last. */
  readonly lastModel: string | undefined;
  readonly waiting: number;
};

/** Which model the next message goes to: a picker where there is a choice, otherwise its name. */
export const ComposerAbout = ({
  chatModel: { models, harness, isPending, choice, pick },
  lastModel,
  waiting,
}: ComposerAboutProps) => {
  // The vendor's agent is named: it may run on the person's own subscription.
  const via = harness === "agent-sdk" ? `via ${HARNESS_NAMES[harness]}` : undefined;
  const queue = waiting > 0 ? `${waiting} queued` : undefined;
  if (models !== undefined && isChoice(models)) {
    return (
      <>
        <ModelPicker models={models} choice={choice} harness={harness} onPick={pick} />
        {(queue ?? via) && <span class="about">{queue ?? via}</span>}
      </>
    );
  }
  const name = [lastModel, via].filter(Boolean).join(" ");
  if (queue !== undefined || isPending) return <span class="about">{queue}</span>;
  if (lastModel === undefined) return <span class="about">Asks before changes</span>;
  return (
    <span class="about">
      {name}
      <span class="asks"> · asks before changes</span>
    </span>
  );
};

type PlanButtonProps = { readonly isPlan: boolean; readonly onChange: (isPlan: boolean) => void };

/** Chooses plan mode for the next message. */
export const PlanButton = ({ isPlan, onChange }: PlanButtonProps) => (
  <Button
    isSmall
    tone="ghost"
    class="plan-first"
    icon={IconListCheck}
    aria-pressed={isPlan}
    title="The agent changes nothing until you accept its plan"
    onClick={() => onChange(!isPlan)}
  >
    Plan first
  </Button>
);
