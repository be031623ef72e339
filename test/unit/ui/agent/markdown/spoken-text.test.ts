/** An answer as it is read aloud: its words, in a time that its length decides alone. */
import { expect, it } from "vitest";
import { spokenText } from "../../../../../src/ui/agent/markdown/spoken-text.ts";

it.each([
  ["## Your list\n\n- **AAPL** at `190`\n- [x] MSFT", "Your list\nAAPL at 190\nMSFT"],
  ["| Stock | Value |\n|:--|--:|\n| AAPL | 5 |", "Stock, Value\n\nAAPL, 5"],
  ["One\n\n---\n\nTwo\n - - \n***", "One\n\nTwo\n-"],
  ["snake_case * 2 and a [link](http://x.y)", "snake_case * 2 and a link"],
])("%j has no marks", (markdown, spoken) => {
  expect(spokenText(markdown).replaceAll(/\n+/g, "\n")).toBe(spoken.replaceAll(/\n+/g, "\n"));
});

it("a line that is nearly a rule is read once, not once for each of its characters and theirs", () => {
  const line = `${" ".repeat(6_000)}${"-".repeat(12_000)}x`;
  expect(spokenText(line)).toBe(line.trim());
});
