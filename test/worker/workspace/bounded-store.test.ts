/** How much one owner can keep. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BoundedStore } from "../../../src/workspace/durable/rooted-store.ts";

const FULL = { code: "too_large", message: expect.stringMatching(/full.*Delete/) };

it("refuses to write when it is full, and takes more again when something was deleted", async () => {
  const object = env.WORKSPACES.getByName(crypto.randomUUID());
  await runInDurableObject(object, async (_, { storage }) => {
    const store = new BoundedStore({ storage: storage.sql, maxFileBytes: 1_500_000, maxBytes: 400_000 });
    await store.writeFile("/first.txt", "a".repeat(300_000));
    await store.writeFileBytes("/second.txt", new Uint8Array(300_000));
    await expect(store.writeFile("/third.txt", "x")).rejects.toMatchObject(FULL);
    await expect(store.writeFileBytes("/third.txt", new Uint8Array(1))).rejects.toMatchObject(FULL);
    await expect(store.mkdir("/third")).rejects.toMatchObject(FULL);
    expect(await store.readFile("/first.txt")).toHaveLength(300_000);
    await store.deleteFile("/second.txt");
    await store.writeFile("/third.txt", "x");
    expect(await store.readFile("/third.txt")).toBe("x");
  });
});
