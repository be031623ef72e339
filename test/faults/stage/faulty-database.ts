/** A D1 binding whose calls pass the fault plan; everything else is the real one's. */
import { callD1 } from "./fault-plan.ts";

/** The real statement behind each one that was handed out: a batch takes real ones. */
const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

/** Wraps the binding. */
export const faultyDatabase = (real: D1Database): D1Database =>
  new Proxy(real, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => faultyStatement(target.prepare(sql), sql);
      if (name !== "batch") return bound(target, name);
      return (statements: D1PreparedStatement[]) =>
        callD1(`batch of ${statements.length}`, () => target.batch(statements.map((one) => realOf.get(one) ?? one)));
    },
  });

const CALLS: readonly (string | symbol)[] = ["run", "all", "raw", "first"];

const faultyStatement = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
  const statement = new Proxy(real, {
    get(target, name) {
      if (name === "bind") return (...values: unknown[]) => faultyStatement(target.bind(...values), sql);
      const own = bound(target, name);
      if (!CALLS.includes(name) || typeof own !== "function") return own;
      return (...args: unknown[]) => callD1(sql, async () => await own(...args));
    },
  });
  realOf.set(statement, real);
  return statement;
};

/** A member of the real one; methods keep it as their `this`. */
const bound = (target: object, name: string | symbol): unknown => {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
};
