/** A person who has something of everything there is. */
import { env } from "cloudflare:test";
import { inject, onTestFinished } from "vitest";
import { z } from "zod";
import { OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { openDb } from "../../../src/db/db.ts";
import { insertNotice } from "../../../src/db/notices/outbox.ts";
import { noteUndone } from "../../../src/db/undo/undone-runs.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import { say } from "../model-script.ts";
import { holdBefore } from "../model-troubles.ts";
import { scriptModel } from "../scripted-model.ts";
import { subscribe } from "./push-device.ts";
import { signIn } from "./sign-in.ts";

/** Stocks, a screen, an organization, a finished run, a run whose model hangs, and files. */
export const aFullAccount = async () => {
  const browser = await signIn();
  const { ask, request, email } = browser;
  const owner = OwnerEmail.parse(email);
  await ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL", notes: "mine", tags: ["fruit"] });
  await ask("POST", "/_framework/actions/set-navigation", { view: "stocks", path: "/stocks" });
  const schedule = { prompt: "Which targets are near?", cron: "0 0 1 1 *", timeZone: "UTC" };
  await ask("POST", "/_framework/actions/create-schedule", schedule);
  await ask("PATCH", "/_framework/settings", { notices: { runEnd: "none" } });
  const { subscription } = await subscribe();
  const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`;
  await ask("POST", "/_framework/push", { ...Object(subscription), endpoint, label: "Phone" });
  const news = { ownerEmail: owner, dedupKey: "n", kind: "target", tag: "t", title: "AAPL", url: "/stocks" } as const;
  // Never due: nothing is sent to that address.
  const [nowMs, dueAtMs] = [Date.now(), Date.now() + 24 * 3_600_000];
  await insertNotice(openDb(env.DB), { ...news, expiresAtMs: dueAtMs }, { nowMs, dueAtMs }).run();

  await ask("PATCH", "/_framework/settings", { baseCurrency: "CHF" });
  await browser.openOrganization();
  const workspace = await openDurableWorkspace(env.WORKSPACES, owner);
  await workspace.write("notes.md", new TextEncoder().encode("Grüße"));
  await workspace.write("raw.bin", new Uint8Array([255, 0, 1]));
  const start = async (prompt: string) =>
    TurnStartResponse.parse((await ask("POST", "/api/agent/turn", { threadId: crypto.randomUUID(), prompt })).body);
  const finishing = await scriptModel(inject("modelUrl"), [say("Hello.")]);
  const finished = await start(finishing.prompt("hello"));
  await (await request(finished.events)).text();
  const { threadId } = z
    .object({ threadId: z.string() })
    .parse((await ask("GET", `/_framework/runs/${finished.runId}`)).body);
  await ask("POST", `/_framework/threads/${threadId}/rewind`, { beforeRunId: finished.runId });
  await noteUndone(openDb(env.DB), RunId.parse(finished.runId), Date.now());
  // As of a chat whose deletion was cut off, long after there was such an account.
  await env.DB.prepare("INSERT INTO thread_deletions VALUES (?, ?, 'gone', ?)")
    .bind(crypto.randomUUID(), email, dueAtMs)
    .run();
  const hanging = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
  const live = await start(hanging.prompt("hang"));
  await hanging.reaches(1, "held");
  // A run whose model hangs would outlive the file.
  onTestFinished(() => env.RUNS.getByName(live.runId).purge());
  return { ...browser, owner, workspace, finished, live, hanging };
};

/** Every table that names a person, and by which column. */
const NAMED_IN = {
  stocks: "owner_email",
  stock_events: "owner_email",
  navigation: "owner_email",
  settings: "owner_email",
  threads: "owner_email",
  runs: "owner_email",
  run_costs: "owner_email",
  run_marks: "owner_email",
  thread_deletions: "owner_email",
  undone_runs: "owner_email",
  harness_sessions: "owner_email",
  idempotency_keys: "owner_email",
  day_changes: "owner_email",
  schedules: "owner_email",
  notices: "owner_email",
  push_devices: "owner_email",
  notice_settings: "owner_email",
  account_deletions: "owner_email",
  users: "email",
  invitations: "email",
} as const;

const Count = z.object({ n: z.int() });

/** How many rows of each table name the person; those with none are left out. */
export const rowsOf = async (email: string): Promise<Record<string, number>> => {
  const counts = Object.entries(NAMED_IN).map(async ([table, column]) => {
    const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`;
    return [table, Count.parse(await env.DB.prepare(sql).bind(email).first()).n] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, n]) => n > 0));
};
