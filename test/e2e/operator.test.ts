/** `npm run operator` on a local database, as an operator runs it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyMigrations } from "../../src/cli/dev/migrations.ts";
import { runWrangler } from "../../src/cli/dev/wrangler.ts";
import { ownerHash } from "../../src/contract/digest.ts";

/** Each question starts wrangler, which takes some seconds. */
const TIMEOUT_MS = 180_000;

const HOUR_MS = 60 * 60_000;
const persistTo = mkdtempSync(join(tmpdir(), "tally-operator-"));
const { signal } = new AbortController();

/** Noon of today, in UTC: the command's clock begins there, so that no day ends between what a test writes and what is asked. */
const noonMs = new Date().setUTCHours(12, 0, 0, 0);

/** A module that sets the clock of a Node process. */
const SET_CLOCK = `const { now } = Date; const started = now(); Date.now = () => now() - started + ${noonMs};`;

const operator = (...args: string[]) => operatorWith({}, ...args);

/** The same with further variables. */
const operatorWith = (variables: Readonly<Record<string, string>>, ...args: string[]) => answering("", variables, args);

/** The same with what somebody types. */
const answering = (typed: string, variables: Readonly<Record<string, string>>, args: readonly string[]) =>
  new Promise<{ exitCode: number; output: string }>((resolve) => {
    const command = ["run", "--silent", "operator", "--", ...args];
    const env = {
      ...process.env,
      ...variables,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SET_CLOCK)}`,
    };
    const end = execFile("npm", command, { cwd: join(import.meta.dirname, "../.."), env }, (error, stdout, stderr) =>
      resolve({ exitCode: Number(error?.code ?? 0), output: stdout + stderr }),
    );
    end.stdin?.end(typed);
  });

const write = async (sql: string) => {
  const args = ["d1", "execute", "DB", "--local", "--persist-to", persistTo, "--command", sql];
  expect(await runWrangler(args, { relay: false, signal })).toMatchObject({ exitCode: 0 });
};

const run = (id: string, createdAtMs: number, finishedAtMs: number | "NULL") =>
  `INSERT INTO runs VALUES ('${id}', 'ann@example.com', NULL, 't', 's', 'running', ${createdAtMs}, ${finishedAtMs})`;

beforeAll(async () => {
  await applyMigrations(persistTo, signal);
}, TIMEOUT_MS);

afterAll(() => rmSync(persistTo, { recursive: true, force: true }));

describe("the operator's command", { timeout: TIMEOUT_MS }, () => {
  it("says of a new database that nothing was spent and nothing hangs", async () => {
    const { exitCode, output } = await operator("--persist-to", persistTo);
    expect(output).toMatch(/^Spent on models on \d{4}-\d\d-\d\d \(UTC\)\n {2}\$0 by runs/);
    expect(output).toMatch(/D1 considers live: 0\n.*\n.*\n\nThe cron's work is done\./);
    expect(exitCode).toBe(0);
  });

  it("says so behind a proxy too, of which wrangler warns", async () => {
    const { exitCode, output } = await operatorWith({ HTTPS_PROXY: "http://127.0.0.1:9" }, "--persist-to", persistTo);
    expect(output).toMatch(/^Spent on models on/);
    expect(exitCode).toBe(0);
  });

  it("says what today cost, in sum and by the hash of each person, which runs hang, and that the cron does not work", async () => {
    const hash = await ownerHash("ann@example.com");
    const day = new Date(noonMs).toISOString().slice(0, 10);
    await write(
      [
        run("ended", noonMs - 1, noonMs),
        run("waiting", noonMs - 2 * HOUR_MS, "NULL"),
        run("hanging", noonMs - 30 * HOUR_MS, "NULL"),
        "INSERT INTO run_costs VALUES ('ann@example.com', 't', 'ended', 30000000000)",
        `INSERT INTO day_costs VALUES ('${day}', '', '', 90000000000), ('${day}', '${hash}', '', 90000000000)`,
        `INSERT INTO account_deletions VALUES ('bob@example.com', ${noonMs - HOUR_MS})`,
        `INSERT INTO notices (id, owner_email, dedup_key, kind, tag, title, url, state, due_at_ms, expires_at_ms, claimed_until_ms,
           attempts, devices, created_at_ms) VALUES
           ('late', 'ann@example.com', 'late', 'target', 't', 't', '/', 'waiting', ${noonMs - HOUR_MS}, ${noonMs}, 0, 0, '[]', 0),
           ('sent', 'ann@example.com', 'sent', 'target', 't', 't', '/', 'sent', ${noonMs - HOUR_MS}, ${noonMs}, 0, 1, '[]', 0)`,
        `INSERT INTO schedules (id, owner_email, thread_id, prompt, time_zone, state, due_at_ms, claimed_until_ms, claimed_at_ms, claims,
           expired_in_a_row, created_at_ms) VALUES
           ('late', 'ann@example.com', 't', 'p', 'UTC', 'active', ${noonMs - 2 * HOUR_MS}, 0, 0, 0, 0, 0),
           ('young', 'ann@example.com', 't', 'p', 'UTC', 'active', ${noonMs - HOUR_MS / 2}, 0, 0, 0, 0, 0)`,
        `INSERT INTO host_deletions VALUES ('late', 0, ${noonMs - HOUR_MS})`,
      ].join(";"),
    );
    const { output } = await operator("--persist-to", persistTo);
    expect(output).toContain(`  $0.03 by runs that ended today, in threads that still exist\n    ${hash}  $0.03\n`);
    expect(output).toContain(`  $0.09 counted for the day's budgets`);
    expect(output).toMatch(/live: 2\n {2}2 for more than an hour.*\n {2}1 for more than 25 hours/);
    expect(output).toContain(`  hanging  ${hash}  30 h\n  waiting  ${hash}  2 h\n`);
    expect(output).toContain("The cron does not get its work done");
    expect(output).toContain(
      `  1 account deletions
  1 notices (unless NOTICES_PAUSED or OFFLINE holds them)
  1 schedules (unless SCHEDULES_PAUSED or AGENT_PAUSED holds them)
  1 sessions on a host
`,
    );
    expect(output).not.toContain("example.com");
  });

  it("names the commands that make a database where there is none", async () => {
    const unmade = join(persistTo, "unmade");
    expect(await operator("--persist-to", unmade)).toEqual({
      exitCode: 1,
      output: `The database in ${unmade} lacks tables. Start \`npm run dev -- --persist-to ${unmade}\` once, or run \`npm run db:migrate -- --persist-to ${unmade}\`.\n`,
    });
  });

  it("is refused with an option that it does not know", async () => {
    expect(await operator("--everything")).toEqual({
      exitCode: 2,
      output: "Options: --remote, --persist-to DIR, --delete EMAIL.\n",
    });
  });

  describe("with --delete", () => {
    const EMAIL = "o'neil@example.com";
    const QUESTION =
      "This deletes the account of o'neil@example.com for good: 0 stocks and 1 chat, with all that belongs to them.\nType the address to confirm: ";

    const deleteAs = (typed: string, email = EMAIL) =>
      answering(typed, {}, ["--persist-to", persistTo, "--delete", email]);

    const read = async () => {
      const sql =
        "SELECT (SELECT count(*) FROM logins) AS logins, (SELECT max(requested_at_ms) FROM account_deletions) AS asked";
      const args = ["d1", "execute", "DB", "--json", "--local", "--persist-to", persistTo, "--command", sql];
      return JSON.parse((await runWrangler(args, { relay: false, signal })).stdout);
    };

    beforeAll(
      () =>
        write(
          [
            "DELETE FROM account_deletions",
            "INSERT INTO users VALUES ('u', '', 'o''neil@example.com', 1, NULL, 0, 0), ('v', '', 'eve@example.com', 1, NULL, 0, 0)",
            `INSERT INTO logins VALUES ('1', 'u', 'a', ${noonMs + HOUR_MS}, 0, 0, NULL, NULL, NULL),
               ('2', 'u', 'b', ${noonMs + HOUR_MS}, 0, 0, NULL, NULL, NULL), ('3', 'v', 'c', ${noonMs + HOUR_MS}, 0, 0, NULL, NULL, NULL)`,
            "INSERT INTO threads VALUES ('o''neil@example.com', 't', '', 0, 0)",
          ].join(";"),
        ),
      TIMEOUT_MS,
    );

    it.each(["eve@example.com\n", "yes\n", ""])("deletes nothing when %j is typed to confirm it", async (typed) => {
      expect(await deleteAs(typed)).toEqual({
        exitCode: 1,
        output: `${QUESTION}That is not the address. Nothing was deleted.\n`,
      });
      expect(await read()).toMatchObject([{ results: [{ logins: 3, asked: null }] }]);
    });

    it("says where there is no account", async () => {
      expect(await deleteAs("", "nobody@example.com")).toEqual({
        exitCode: 1,
        output: "There is no account of nobody@example.com.\n",
      });
    });

    it("stores the request that the cron completes, and ends the person's log-ins, once the address is typed", async () => {
      // By the clock of the database: the command's is another one here.
      const beforeMs = Date.now();
      const { exitCode, output } = await deleteAs("O'Neil@example.com\n");
      expect(output).toMatch(/confirm: The log-ins of o'neil@example\.com have ended\./);
      expect(exitCode).toBe(0);
      const [{ results }] = await read();
      expect(results).toMatchObject([{ logins: 1 }]);
      expect(results[0].asked).toBeGreaterThanOrEqual(beforeMs);
      expect(results[0].asked).toBeLessThanOrEqual(Date.now());
    });
  });
});
