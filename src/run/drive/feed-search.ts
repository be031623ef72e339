/** Gives what was said in a turn to its owner's search, once the turn is over. */
import { log } from "../../contract/log.ts";
import type { Env } from "../../env.ts";
import { loadHarness } from "../../harness/registry.ts";
import { type KeptTurn, NOTHING_STORED } from "../../harness/stored-conversation.ts";
import { searchOf } from "../../search/search-rpc.ts";
import type { RunSpec } from "../run-spec.ts";

/** `kept`: the turn as its session has it; undefined for a run that never left the queue. Rejects when the search does not answer. */
export const feedSearch = async (env: Env, spec: RunSpec, kept: KeptTurn | undefined): Promise<void> => {
  const { threadId, runId, createdAtMs, prompt, ownerEmail } = spec;
  const turn = { threadId, runId, createdAtMs, prompt, answer: kept === undefined ? "" : await answerOf(spec, kept) };
  const { stub } = await searchOf(env.SEARCH, ownerEmail);
  await stub.put(turn);
};

/** The final answer, as the harness would tell it. A turn that cannot be read has none here, and is found only by its prompt. */
export const answerOf = async ({ harness, runId }: RunSpec, { turn: { model, rows } }: KeptTurn): Promise<string> => {
  try {
    const adapter = await loadHarness(harness);
    const stored = { ...NOTHING_STORED, rows: rows.map((row) => ({ ...row, runId, model })) };
    return adapter.resume(stored).saidTurns().at(-1)?.answer ?? "";
  } catch (error) {
    log.warn("An answer cannot be searched.", { runId, error });
    return "";
  }
};
