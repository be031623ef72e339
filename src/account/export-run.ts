/** One run for an export: its row, its prompt, and every event up to the moment it was asked. */
import * as z from "zod";
import type { OwnerEmail } from "../contract/ids.ts";
import { CostUsd } from "../contract/run.ts";
import type { OwnedRow } from "../db/owner-rows.ts";
import type { Env } from "../env.ts";
import { CURSOR_HEADER, OWNER_HEADER } from "../run/event-response.ts";
import { reach } from "../run/reach.ts";
import { jsonList } from "./json-list.ts";

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

/** The events as JSON, read off the run's stream. One that lives is left at the last event it had. */
async function* events(env: Env, owner: OwnerEmail, runId: string, lastSeq: number): AsyncGenerator<string> {
  if (lastSeq === 0) return;
  const stop = new AbortController();
  const headers = { [OWNER_HEADER]: owner, [CURSOR_HEADER]: "0" };
  const answer = await env.RUNS.getByName(runId).fetch("http://run/events", { headers, signal: stop.signal });
  if (answer.body === null) return;
  try {
    let rest = "";
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const frames = `${rest}${chunk}`.split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const [, seq, json] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
        if (json === undefined) continue;
        yield json;
        if (Number(seq) >= lastSeq) return;
      }
    }
  } finally {
    stop.abort();
  }
}
