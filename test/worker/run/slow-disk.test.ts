/** A stream while commits follow each other faster than the disk confirms them, as replicas may (decision 0001). */
import { env, runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import { Ledger } from "../../../src/run/store/ledger.ts";
import { lostStart } from "../../support/workerd/lost-start.ts";

/** Storage whose syncs resolve when `confirm` is called, one each time, in their order. */
const slowDisk = (storage: DurableObjectStorage) => {
  const waiting: (() => void)[] = [];
  const sync = () => new Promise<void>((resolve) => void waiting.push(resolve));
  return {
    confirm: () => waiting.shift()?.(),
    storage: new Proxy(storage, {
      get: (disk, name) => {
        const value: unknown = name === "sync" ? sync : Reflect.get(disk, name, disk);
        return typeof value === "function" ? value.bind(disk) : value;
      },
    }),
  };
};

it("a frame is sent once its own commit is on disk, and waits for no later one", ({ expect }) =>
  runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), async (_, ctx) => {
    const { storage, confirm } = slowDisk(ctx.storage);
    const ledger = new Ledger(storage, Date.now);
    const say = (text: string) => ledger.commit(() => [{ type: "text_delta", messageId: "m", text }]);
    const reader = ledger.subscribers.stream(0, new AbortController().signal).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value).match(/"text":"\w+"/g);
    ledger.create(lostStart("slow@example.com", "t", "Hello"));
    await reader.read();
    const first = read();
    say("One");
    say("Two");
    say("Three");
    confirm();
    confirm();
    expect(await first).toEqual(['"text":"One"']);
    const second = read();
    say("Four");
    confirm();
    expect(await second).toEqual(['"text":"Two"']);
    const third = read();
    confirm();
    confirm();
    expect([await third, await read()]).toEqual([['"text":"Three"'], ['"text":"Four"']]);
    await ledger.clear();
  }));
