/** A person whose chats are as if their last turns had worked in another directory. */
import { env, runInDurableObject } from "cloudflare:test";
import { emptyQueue } from "./handed-over.ts";

type Row = { readonly id: string };

const sessionsOf = async (email: string) =>
  (await env.DB.prepare("SELECT id FROM harness_sessions WHERE owner_email = ?").bind(email).all<Row>()).results;

const changeFacts = async (email: string, change: string, ...values: string[]): Promise<void> => {
  for (const { id } of await sessionsOf(email)) {
    // A run ends before it hands over, and what the session has is replaced then.
    await emptyQueue(id);
    await runInDurableObject(env.SESSIONS.getByName(id), (_, { storage }) => void storage.sql.exec(change, ...values));
  }
};

/** As a turn leaves it behind. */
export const workedIn = (email: string, directory: string): Promise<void> =>
  changeFacts(email, "UPDATE facts SET body = json_set(body, '$.movedFrom', ?)", directory);

/** As an earlier release left it behind, which only had it noted in D1. */
export const workedEarlierIn = async (email: string, directory: string): Promise<void> => {
  await changeFacts(email, "UPDATE facts SET body = json_remove(body, '$.movedFrom')");
  await env.DB.prepare("UPDATE harness_sessions SET workspace_dir = ? WHERE owner_email = ?")
    .bind(directory, email)
    .run();
};
