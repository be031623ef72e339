/** One harness session for an export: its row, the thread's standing rules, the conversation with what is no longer sent, newest block first, and its summaries. */
import type { OwnedRow } from "../db/owner-rows.ts";
import type { Env } from "../env.ts";
import { reach } from "../run/reach.ts";
import type { BlockPage } from "../session/conversation-store.ts";
import { jsonList } from "./json-list.ts";

/** The session as JSON, in pieces. */
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
