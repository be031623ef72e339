/** D1 that holds one kind of statement until it is let go. */

/** Holds each statement whose text contains `part`, before it runs. `reached` resolves once the first is there. */
export const holdingDatabase = (real: D1Database, part: string) => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const held = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (own, name) => {
        const member: unknown = Reflect.get(own, name);
        if (typeof member !== "function") return member;
        if (name === "bind") return (...values: unknown[]) => held(own.bind(...values));
        return async (...given: unknown[]): Promise<unknown> => {
          reached.resolve();
          await gate.promise;
          return await Reflect.apply(member, own, given);
        };
      },
    });
  const binding = new Proxy(real, {
    get: (db, name) => {
      if (name !== "prepare") return Reflect.get(db, name).bind(db);
      return (sql: string) => (sql.includes(part) ? held(db.prepare(sql)) : db.prepare(sql));
    },
  });
  return { binding, reached: reached.promise, release: gate.resolve };
};
