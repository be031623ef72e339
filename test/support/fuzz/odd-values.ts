/** Values that parsers, databases and people trip over: texts, numbers and pieces of addresses. */
import fc from "fast-check";

/** Texts as JSON can carry them, halves of characters among them. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", " ", "\u0000", "\ud800", "😀", "é", "e\u0301", "ﷺ", "\u202e", "\ufeff", "\r\nX-A: b", "\t"],
    ...["__proto__", "constructor", "'; DROP TABLE stocks; --", '"', "\\", "%", "%00", "../..", "<script>"],
    ...["null", "true", "NaN", "1e309", "-0", "0x10", "1,5", "9".repeat(40), "2026-11-21T00:00:00Z", "2026-02-30"],
    ...["x".repeat(33), "x".repeat(201), "😀".repeat(101), "x".repeat(4_001), "a ".repeat(100)],
  ),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Numbers at the ends of their ranges. */
export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 0.1, 1e-11, 1e21, 1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 53), 2 ** 63, 2 ** 31),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any JSON at all, a few levels deep. */
export const oddJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    oddNumber,
    oddText,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(oddText, tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** One piece of a path, as it is sent: some are not even sound percent-encoding. */
export const oddSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("%00", "%ff", "%E0%A4%A", "%", "%2F", "..%2F..", "a%0d%0ab", "%F0%9F%92%A5", "0", "-1", "a;b", "a@b"),
  fc.constantFrom("x".repeat(201), "__proto__", "null", "%20", "*", "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11"),
  oddText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 60)) || "%20"),
);

/** The value of a header: bytes without line breaks. */
export const oddHeader: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("", "null", "*", "a=b; c", "0", "-1", "9".repeat(16), "x".repeat(256), "text/html", "=;=,"),
  fc.stringMatching(/^[ -~]{0,30}$/),
);
