/** Observes calls to a method of a class that is not ours, for what cannot be counted anywhere else. */
import { onTestFinished } from "vitest";

/** Wraps a method in `look` until the test is over. `look` gets the call and has to make it. Call it inside a test. */
export const aroundMethod = (
  owner: object,
  name: string,
  look: (self: object, args: readonly unknown[], call: () => unknown) => unknown,
): void => {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== "function") throw new Error(`There is no ${name} to look at.`);
  Reflect.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    value(this: object, ...args: unknown[]): unknown {
      return look(this, args, () => Reflect.apply(method, this, args));
    },
  });
  onTestFinished(() => {
    Reflect.defineProperty(owner, name, { configurable: true, writable: true, value: method });
  });
};
