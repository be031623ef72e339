/** Looks on while a method of somebody else's class is called: for what has no other place to count it at. */
import { onTestFinished } from "vitest";

/** Puts `look` around a method until the test is over. It is given the call and has to make it. Called inside a test. */
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
