/** What is wrong with a turn that should have completed: its transcript, its text, its status route. */
import { z } from "zod";
import { RunView } from "../../src/contract/run.ts";
import { TranscriptEvent } from "../../src/contract/transcript.ts";
import { timeProblems, transcriptProblems } from "../faults/invariants/transcript-problems.ts";
import type { Received } from "../faults/world/recording.ts";
import { saidAfter } from "./load-prompt.ts";
import type { Owner } from "./owner.ts";
import type { Reading } from "./reading.ts";

const Numbered = z.object({ seq: z.int(), at: z.iso.datetime() });

/** The events of a reading that keeps its frames. */
export const eventsOf = (reading: Reading): Received[] =>
  (reading.frames ?? []).map((frame) => {
    const raw: unknown = JSON.parse(frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length));
    return { ...TranscriptEvent.parse(raw), ...Numbered.parse(raw) };
  });

/** `turns` are the numbers that the model has to have been sent, in order. */
export const turnProblems = async (
  owner: Owner,
  runId: string,
  reading: Reading,
  turns: readonly number[],
): Promise<string[]> => {
  const events = eventsOf(reading);
  const end = events.at(-1);
  const view = await owner.read(RunView, `/_framework/runs/${runId}`);
  const text = events.findLast(({ type }) => type === "message_end");
  const said = text?.type === "message_end" ? text.text : "";
  const starts = events.filter(({ type }) => type === "run_start").length;
  const problems = [
    ...reading.problems,
    ...transcriptProblems(events),
    ...timeProblems(events),
    ...(end?.type === "run_end" && end.status === "completed" ? [] : [`ended as ${JSON.stringify(end)}`]),
    ...(starts === 1 ? [] : [`started ${starts} times`]),
    ...(said.startsWith(saidAfter(turns)) ? [] : [`said "${said.slice(0, 100)}", not ${saidAfter(turns)}`]),
    ...(view.status === "completed" ? [] : [`its status is ${view.status}`]),
    ...(view.lastSeq === reading.lastSeq ? [] : [`its lastSeq is ${view.lastSeq} of ${reading.lastSeq}`]),
  ];
  return problems.map((problem) => `run ${runId}: ${problem}`);
};
