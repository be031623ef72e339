/** The actions that have routes before their code is loaded. */
import { expect, it } from "vitest";
import { ACTIONS } from "../../../src/actions/registry.ts";
import { loadAction, SERVED } from "../../../src/actions/served.ts";

it("are those of the registry, with what their routes are made from", () => {
  const made = Object.fromEntries(
    ACTIONS.map(({ name, kind, isPostOnly }) => [name, { kind, ...(isPostOnly && { isPostOnly }) }]),
  );
  expect(SERVED).toEqual(made);
});

it.each(Object.keys(SERVED))("%s loads", async (name) => {
  expect((await loadAction(name)).name).toBe(name);
});

it("load by no other name", async () => {
  await expect(loadAction("toString")).rejects.toThrow('There is no action named "toString".');
});
