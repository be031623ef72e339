/** Stops the run that is going on. */
import { IconPlayerStopFilled } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import type { ThreadRun } from "../thread-run.ts";
import { explainProblem } from "./explain-problem.ts";
import { abortRun } from "./run-requests.ts";
import { useFocusBack } from "./use-focus-back.ts";

/** Says "Stopping…" from the press until the run has ended. */
export const StopButton = ({ run: { runId, transcript } }: { readonly run: ThreadRun }) => {
  const [stopped, setStopped] = useState<string>();
  const holder = useFocusBack<HTMLSpanElement>();
  const isStopping = stopped === runId || transcript.status === "aborting";
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    setStopped(runId);
    await abortRun(runId).catch((error: unknown) => {
      setStopped(undefined);
      showToast({ text: explainProblem(error), tone: "bad" });
    });
  };
  return (
    <span ref={holder}>
      <Button isSmall icon={IconPlayerStopFilled} aria-disabled={isStopping} onClick={() => void stop()}>
        {isStopping ? "Stopping…" : "Stop"}
      </Button>
    </span>
  );
};
