/** Values that nearly fit a schema, so that a fuzz gets past the parser as often as it is stopped there. */
import fc from "fast-check";
import { z } from "zod";
import { oddJson, oddNumber, oddText } from "./odd-values.ts";

/** What is read of a JSON schema. */
type Shape = {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Shape[] | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly items?: Shape | undefined;
};

const Shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(Shape).optional(),
    properties: z.record(z.string(), Shape).optional(),
    items: Shape.optional(),
  }),
);

/** Texts for fields, chosen by the field's name; a test adds its own ids. */
export type Hints = Readonly<Record<string, readonly string[]>>;

const DECIMALS = ["0", "1", "007.50", "0.0000000001", "123456789012.1234567891", "-1", "1e3", ".5", "1,5"];
const TIMES = ["2026-11-21T00:00:00Z", "2026-11-21T00:00:00.123+14:00", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];

/** What fits fields of the stock actions, and what nearly does. */
const STOCK_HINTS: Hints = {
  symbol: ["AAPL", "^GSPC", "brk.b", " msft ", "A".repeat(32), "A".repeat(33), "A B", "ＡＡ"],
  exchange: ["XNAS", "xlon", "", "ABCDE"],
  isin: ["US0378331005", "us0378331005", "US0378331006"],
  currency: ["USD", "GBp", "GBX", "eur", "XXX", ""],
  ...Object.fromEntries(
    ["quantity", "avgCost", "targetLow", "targetHigh", "lastPrice"].map((name) => [name, DECIMALS]),
  ),
  lastPriceAt: TIMES,
  cursor: ["", "x", "e30", "W10", "WzEsMl0", "WzEsImEiXQ"],
  after: ["", "0", "1", "999999999999999", "-1"],
  path: ["/stocks", "/stocks?q=a", "//evil.test", "/\\evil.test"],
};

/** Values for a schema: mostly of its shape, now and then anything. */
export const valuesOf = (schema: z.ZodType, hints: Hints): fc.Arbitrary<unknown> =>
  ofShape(Shape.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })), "", {
    ...STOCK_HINTS,
    ...hints,
  });

const ofShape = (shape: Shape, name: string, hints: Hints): fc.Arbitrary<unknown> => {
  if (shape.enum !== undefined) return orOdd(fc.constantFrom(...shape.enum));
  if (shape.anyOf !== undefined) return orOdd(fc.oneof(...shape.anyOf.map((one) => ofShape(one, name, hints))));
  if (typeof shape.type === "object") return fc.oneof(...shape.type.map((type) => ofShape({ type }, name, hints)));
  switch (shape.type) {
    case "object":
      return orOdd(objectOf(shape.properties ?? {}, hints));
    case "array":
      return orOdd(fc.array(ofShape(shape.items ?? {}, name, hints), { maxLength: 4 }));
    case "string":
      return orOdd(hints[name] === undefined ? oddText : fc.oneof(fc.constantFrom(...hints[name]), oddText));
    case "number":
    case "integer":
      return orOdd(fc.oneof(fc.integer({ min: -1, max: 201 }), oddNumber));
    case "boolean":
      return orOdd(fc.boolean());
    default:
      return oddJson;
  }
};

const objectOf = (properties: Readonly<Record<string, Shape>>, hints: Hints): fc.Arbitrary<unknown> => {
  const fields = Object.entries(properties).map(([name, shape]) => [name, ofShape(shape, name, hints)] as const);
  if (fields.length === 0) return fc.constant({});
  return fc.oneof(
    // Few fields pass more often than many; all of them together are worth a try.
    {
      weight: 4,
      arbitrary: fc
        .subarray(fields, { minLength: 1, maxLength: Math.min(4, fields.length) })
        .chain((some) => fc.record(Object.fromEntries(some))),
    },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
  );
};

const orOdd = (likely: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 15, arbitrary: likely }, { weight: 1, arbitrary: oddJson });
