/** The databases of these tests refuse what the deployed ones do: a row of more than 2 MB. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

const LARGE = "é".repeat(1_000_001);

it("D1 refuses a larger value", async () => {
  const insert = async (value: string) => await env.DB.prepare("SELECT length(?) AS size").bind(value).first("size");
  expect(await insert(LARGE.slice(2))).toBe(999_999);
  await expect(insert(LARGE)).rejects.toThrow("SQLITE_TOOBIG");
});

it.each(["RUNS", "SESSIONS", "WORKSPACES"] as const)("an object of %s refuses a larger row", async (name) => {
  const stub = env[name].getByName("somebody's");
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    sql.exec("CREATE TABLE large (one, other)");
    const insert = (one: string) => sql.exec("INSERT INTO large VALUES (?, ?)", one, new ArrayBuffer(1_000_000));
    insert(LARGE.slice(500_001));
    expect(() => insert(LARGE.slice(500_000))).toThrow("SQLITE_TOOBIG");
  });
});
