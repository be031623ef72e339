/** Formulas as text that reads, and amounts of money that are none. */
import { describe, expect, it } from "vitest";
import { mathText, withoutFormulas } from "../../../../../src/ui/agent/markdown/math-text.ts";
import { decodeEntities } from "../../../../../src/ui/agent/markdown/render-inline.tsx";

it.each([
  [String.raw`\frac{P - C}{C} \times 100`, "(P - C) / C × 100"],
  [String.raw`\frac{1}{n}\sum_{i=1}^{n} x_i`, "(1 / n) ∑ᵢ₌₁ⁿ xᵢ"],
  [String.raw`\text{gain} = \frac{a}{b}`, "gain = a / b"],
  [String.raw`x^2 + y_{10}^{n+1} \le \sqrt{2}`, "x² + y₁₀ⁿ⁺¹ ≤ √2"],
  [String.raw`\left( \sum_{i=1}^{k} w_i \right)`, "( ∑ᵢ₌₁ᵏ wᵢ )"],
  [String.raw`\frac{\frac{a}{b}}{\alpha}`, "(a / b) / α"],
  [String.raw`\frac{\bar{x}_i}{\hat y} - \vec{a}`, "x\u0304ᵢ / y\u0302 - a\u20d7"],
  [String.raw`\overline{AB}`, "AB"],
  [String.raw`\hat\beta_1 \ne \barmy`, "β\u0302₁ ≠ \\barmy"],
  [String.raw`5\,\% \unknown{x}`, String.raw`5 % \unknownx`],
])("%s reads %s", (formula, text) => {
  expect(mathText(formula)).toBe(text);
});

describe("a paragraph", () => {
  const shown = (source: string): string => decodeEntities(withoutFormulas(source));

  it.each([
    ["The gain is $(P - C) / C$, that is", "The gain is (P - C) / C, that is"],
    [String.raw`$$\n\frac{a}{b}\n$$`.replaceAll(String.raw`\n`, "\n"), "a / b"],
    [String.raw`so \(a \times b\) and \[c^2\]`, "so a × b and c²"],
    ["with $n$ shares", "with n shares"],
  ])("has %s as text", (source, text) => {
    expect(shown(source)).toBe(text);
  });

  it.each([
    "From $5.00 to $10.00 in a day",
    "between $AAPL and $MSFT, or $AAPL/$MSFT",
    "costs $5-$10",
    "US$ and A$ are two dollars",
    "`$a$ = $b$` is code",
    "[a](https://a.test/?x=$y$&z=$w$)",
    "paid $ 5 $ twice",
  ])("stays as it is: %s", (source) => {
    expect(withoutFormulas(source)).toBe(source);
  });

  it("takes nothing of a formula for markdown", () => {
    expect(withoutFormulas("$a*b*c = [x](y)$")).not.toMatch(/[*[\]()]/);
  });
});
