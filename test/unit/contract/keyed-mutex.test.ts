import { expect, it } from "vitest";
import { KeyedMutex } from "../../../src/contract/keyed-mutex.ts";

it("makes work with one key in common follow each other, also behind work that failed", async () => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = mutex.run(["a"], async () => {
    await first.promise;
    order.push("first");
    throw new Error("No");
  });
  const two = mutex.run(["a", "b"], async () => void order.push("second"));
  const three = mutex.run(["b"], async () => void order.push("third"));
  const other = mutex.run(["c"], async () => void order.push("other"));
  await other;
  first.resolve();
  await expect(one).rejects.toThrow("No");
  await Promise.all([two, three]);
  expect(order).toEqual(["other", "first", "second", "third"]);
});
