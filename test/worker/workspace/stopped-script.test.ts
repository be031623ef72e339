/** What goes on once the call of a command has ended: nothing, also when it was stopped while it changed many files. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BoundedStore } from "../../../src/workspace/durable/rooted-store.ts";
import { runScript } from "../../../src/workspace/durable/run-script.ts";
import { MAX_COMMAND_MS } from "../../../src/workspace/workspace.ts";
import { watchTimers } from "../../support/watch-timers.ts";

const FILES = 60;

/** How many files a command has changed when it is stopped. */
const CHANGES = 20;

/** Files that stop the command which changes them. */
class StoppingStore extends BoundedStore {
  readonly stop = new AbortController();
  changes = 0;

  override async writeFile(...args: Parameters<BoundedStore["writeFile"]>): Promise<void> {
    await super.writeFile(...args);
    this.#count();
  }

  override async mv(...args: Parameters<BoundedStore["mv"]>): Promise<void> {
    await super.mv(...args);
    this.#count();
  }

  #count(): void {
    this.changes += 1;
    if (this.changes === CHANGES) this.stop.abort();
  }
}

it.each([
  ["cp -r data other", FILES, CHANGES],
  ["mv data other", FILES - CHANGES, CHANGES],
])("%s changes nothing once it is stopped, and loses no file", async (command, left, made) => {
  const object = env.WORKSPACES.getByName(crypto.randomUUID());
  await runInDurableObject(object, async (_, { storage }) => {
    const options = { storage: storage.sql, maxFileBytes: 1_500_000 };
    const files = new BoundedStore(options);
    const names = Array.from({ length: FILES }, (_, place) => `${place}.txt`);
    for (const name of names) await files.writeFile(`/data/${name}`, name);
    const stopping = new StoppingStore(options);
    const result = await runScript(stopping, { command, dir: ".", timeoutMs: MAX_COMMAND_MS }, stopping.stop.signal);
    expect(result).toMatchObject({ end: "aborted", exitCode: null });
    const [there, elsewhere] = await Promise.all([files.readDir("/data"), files.readDir("/other")]);
    expect([stopping.changes, there.length, elsewhere.length]).toEqual([CHANGES, left, made]);
    const all = new Set([...there, ...elsewhere].map(({ name }) => name));
    expect([...all].sort()).toEqual([...names].sort());
  });
});

it("a command that has ended leaves no time limit behind, which would keep its object in memory", async () => {
  const object = env.WORKSPACES.getByName(crypto.randomUUID());
  await runInDurableObject(object, async (_, { storage }) => {
    const files = new BoundedStore({ storage: storage.sql, maxFileBytes: 1_500_000 });
    const script = { command: "true", dir: ".", timeoutMs: MAX_COMMAND_MS };
    const timers = watchTimers();
    expect(await runScript(files, script, new AbortController().signal)).toMatchObject({ end: "exited", exitCode: 0 });
    expect([timers.set(MAX_COMMAND_MS), timers.left(MAX_COMMAND_MS)]).toEqual([1, 0]);
  });
});
