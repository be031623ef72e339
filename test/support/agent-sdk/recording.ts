/** Recorded turns of the real SDK, as the host sent them. `test/agent-sdk/record.ts` makes the files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { HarnessCall, TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";

/** The directory of the workspace in a recording. */
export const RECORDED_DIR = "/workspace";

/** A turn: what was sent, all lines that came, and what the questions among them were answered. */
const RecordedTurn = z.object({
  begin: HarnessCall.turn.shape.begin,
  answers: z.record(z.string(), HarnessCall.result.shape.answer),
  lines: z.array(TurnLine),
});
export type RecordedTurn = z.infer<typeof RecordedTurn>;

/** One scenario: turns of one session, one after the other. */
export const Recording = z.object({
  /** What happens, and what came out of it. */
  scenario: z.string(),
  sdkVersion: z.string(),
  recordedOn: z.string(),
  turns: z.array(RecordedTurn),
});
export type Recording = z.infer<typeof Recording>;

/** Where the recordings are. */
export const RECORDINGS_DIR = join(import.meta.dirname, "recordings");

/** Reads a recording by its name, such as `read-edits-stock`. */
export const readRecording = (name: string): Recording =>
  Recording.parse(JSON.parse(readFileSync(join(RECORDINGS_DIR, `${name}.json`), "utf8")));
