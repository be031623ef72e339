/** Runs and harness sessions for an export, as JSON in pieces. */
import * as z from "zod";
import type { OwnerEmail } from "../contract/ids.ts";
import { CostUsd } from "../contract/run.ts";
import type { OwnedRow } from "../db/owner-rows.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { CURSOR_HEADER, OWNER_HEADER, UNSEEN_HEADER } from "../run/stream/event-response.ts";
import type { BlockPage } from "../session/conversation-store.ts";

/** An item as JSON: whole, or in pieces that form one text. */
export type JsonItem = string | AsyncIterable<string>;

/** The text of an array, in pieces. */
export async function* jsonList(items: AsyncIterable<JsonItem>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield before;
    before = ",";
    if (typeof item === "string") yield item;
    else yield* item;
  }
  yield before === "[" ? "[]" : "]";
}

const View = z.object({ status: z.string(), lastSeq: z.int(), costUsd: CostUsd.nullable() }).optional();

/** The run as JSON, in pieces. A run whose log has expired has no events. */
export async function* exportRun(env: Env, owner: OwnerEmail, row: OwnedRow): AsyncGenerator<string> {
  const runId = String(row.run_id);
  const view = View.parse(await reach(async () => await env.RUNS.getByName(runId).view(owner)));
  const prompt = await reach(async () => await env.RUNS.getByName(runId).prompt(owner));
  const { status = row.status, costUsd = null } = view ?? {};
  const whole = { ...row, status, costUsd, prompt: prompt ?? null };
  yield `${JSON.stringify(whole).slice(0, -1)},"events":`;
  yield* jsonList(events(env, owner, runId, view?.lastSeq ?? 0));
  yield "}";
}

/**
 * The events as JSON, read from the run's stream. A live run is read up to its last event so far.
 *
 * @throws {Error} when they cannot all be read.
 */
async function* events(env: Env, owner: OwnerEmail, runId: string, lastSeq: number): AsyncGenerator<string> {
  let readSeq = 0;
  // Reads again after each end of a stream: the run ends streams that are old, or that nobody reads for a while, as on a slow line.
  while (readSeq < lastSeq) {
    const after = readSeq;
    const stop = new AbortController();
    const headers = { [OWNER_HEADER]: owner, [CURSOR_HEADER]: `${after}`, [UNSEEN_HEADER]: "true" };
    const init = { headers, signal: stop.signal };
    const { status, body } = await env.RUNS.getByName(runId).fetch("http://run/events", init);
    if (after === 0 && (status === 404 || status === 410)) return;
    try {
      let rest = "";
      // A refusal has no body.
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const frames = `${rest}${chunk}`.split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          // JSON may hold U+2028 and U+2029, at which a dot stops.
          const [, seq, json] = /^id: (\d+)\ndata: ([^\n]*)$/.exec(frame) ?? [];
          if (json === undefined) continue;
          if (Number(seq) !== readSeq + 1) throw new Error(`Run ${runId}: no event after ${readSeq}, but ${seq}.`);
          yield json;
          readSeq = Number(seq);
          if (readSeq >= lastSeq) return;
        }
      }
    } finally {
      stop.abort();
    }
    if (readSeq === after) throw new Error(`Run ${runId} answers ${status}: no event after ${after} of ${lastSeq}.`);
  }
}

/**
 * One harness session as JSON, in pieces: its row, the thread's standing rules, the conversation including what is no longer
 * sent, newest block first, and its summaries.
 */
export async function* exportSession(env: Env, row: OwnedRow): AsyncGenerator<string> {
  const sessionId = String(row.id);
  const rules = await reach(async () => await env.SESSIONS.getByName(sessionId).listRules());
  yield `${JSON.stringify({ ...row, rules }).slice(0, -1)},"conversation":`;
  yield* jsonList(blocks(env, sessionId));
  const compactions = await reach(async () => await env.SESSIONS.getByName(sessionId).exportCompactions());
  yield `,"compactions":${JSON.stringify(compactions)}}`;
}

async function* blocks(env: Env, sessionId: string): AsyncGenerator<string> {
  let before: number | null = null;
  do {
    const from: number | null = before;
    const page: BlockPage = await reach(async () => await env.SESSIONS.getByName(sessionId).exportPage(from));
    for (const { body, ...block } of page.blocks) yield `${JSON.stringify(block).slice(0, -1)},"content":${body}}`;
    before = page.nextBefore;
  } while (before !== null);
}
