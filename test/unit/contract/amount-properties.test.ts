/** JSON numbers as amounts: taken whole or refused, never rounded (api.md §5). */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Amount } from "../../../src/contract/stocks/decimal.ts";

/** What JSON can hold as a number. */
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
  fc.integer({ min: 0 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 1e10),
);

it("a number that is taken keeps its value to the last digit", () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const taken = Amount.safeParse(number);
      expect(taken.success ? Number(taken.data) : number + 0).toBe(number + 0);
    }),
  );
});

it("a number and its text are the same amount", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), fc.nat(99), (whole, cents) => {
      const text = `${whole}.${String(cents).padStart(2, "0")}`;
      expect(Amount.parse(Number(text))).toBe(Amount.parse(text));
    }),
  );
});

it("an amount that came out goes in again as it is", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\s?\d{1,12}(\.\d{1,10})?\s?$/), (text) => {
      const amount = Amount.parse(text);
      expect(Amount.parse(amount)).toBe(amount);
    }),
  );
});
