/**
 * `npm run operator -- --delete EMAIL`: begins the deletion of an account, as its own person can under Account. It is for people who
 * cannot sign in any more or must not. The Worker's cron completes the deletion.
 */
import { createInterface } from "node:readline";
import * as z from "zod";
import { OwnerEmail } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { deleteLogins, insertDeletion } from "../db/deletion/deletion-request.ts";
import { StartRefusal } from "../process/run-program.ts";

const Counts = z.object({ users: z.number(), stocks: z.number(), chats: z.number() });

/** Wrangler's output for the counts with `--json`. */
const Found = z.tuple([z.object({ results: z.tuple([Counts]) })]).transform(([{ results }]) => results[0]);

/** The database's time in ms: the clock of this machine may differ from that of the machine that ends the deletion. */
const DATABASE_MS = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Asks before it deletes anything. `query` runs statements and resolves with wrangler's JSON. */
export const deleteAccount = async (
  email: string,
  query: (sql: string) => Promise<string>,
  signal: AbortSignal,
): Promise<void> => {
  const { data: owner } = OwnerEmail.safeParse(email);
  if (owner === undefined) throw new StartRefusal("--delete: give an address such as ann@example.com.", 2);
  const literal = `'${owner.replaceAll("'", "''")}'`;
  const counts = `SELECT (SELECT count(*) FROM users WHERE email = ${literal}) AS users,
    (SELECT count(*) FROM stocks WHERE owner_email = ${literal}) AS stocks,
    (SELECT count(*) FROM threads WHERE owner_email = ${literal}) AS chats`;
  const { users, stocks, chats } = Found.parse(parseJson(await query(counts)));
  if (users === 0) throw new StartRefusal(`There is no account of ${owner}.`);
  process.stdout.write(
    `This deletes the account of ${owner} for good: ${counted(stocks, "stock")} and ${counted(chats, "chat")}, with all that belongs to them.\nType the address to confirm: `,
  );
  if ((await typedLine(signal)).trim().toLowerCase() !== owner)
    throw new StartRefusal("That is not the address. Nothing was deleted.");
  await query(`${insertDeletion(literal, DATABASE_MS)};\n${deleteLogins(literal)}`);
  process.stdout.write(
    `The log-ins of ${owner} have ended. The cron deletes everything else within some minutes, longer if it is much.\nWhoever may sign in can make a new account: take the address out of ALLOWED_EMAILS to prevent that.\n`,
  );
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The first line of standard input; empty if the input ends first, or the program is stopped. */
const typedLine = async (signal: AbortSignal): Promise<string> => {
  for await (const line of createInterface({ input: process.stdin, signal })) return line;
  return "";
};
