/** D1 as an instance has it that dies: before its nth call or behind it, and from then on nothing of it gets through. */

/** `pass` is a step that is no call of D1's; `hasDied` says whether there were so many. */
export type DyingDatabase = { readonly binding: D1Database; pass(): Promise<void>; hasDied(): boolean };

const CALLS: readonly (string | symbol)[] = ["run", "all", "raw", "first"];

/** `nth` counts from 1. With `isDone`, what the nth call asked for has been done, and only its answer is lost. */
export const dyingDatabase = (real: D1Database, nth: number, isDone: boolean): DyingDatabase => {
  let left = nth;
  const call = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    left -= 1;
    if (left < 0 || (left === 0 && !isDone)) throw new Error("This instance has died.");
    const result = await run();
    if (left <= 0) throw new Error("This instance has died.");
    return result;
  };
  /** The real statement behind each one that was handed out: a batch takes real ones. */
  const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== "function") return own;
        const method = own.bind(target);
        return CALLS.includes(name) ? (...args: unknown[]) => call(async () => await method(...args)) : method;
      },
    });
    realOf.set(wrapped, statement);
    return wrapped;
  };
  const binding = new Proxy(real, {
    get(target, name) {
      if (name === "prepare") return (query: string) => wrap(target.prepare(query));
      if (name === "batch")
        return (statements: D1PreparedStatement[]) =>
          call(() => target.batch(statements.map((one) => realOf.get(one) ?? one)));
      const own: unknown = Reflect.get(target, name);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
  return { binding, pass: () => call(async () => undefined), hasDied: () => left <= 0 };
};
