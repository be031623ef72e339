/** When a card need not show the path of an edit, because its title does. */
import { expect, it } from "vitest";
import { isVerbAndPath } from "../../../../../src/ui/agent/permission/permission-subject.tsx";

it.each([
  ["Write plan.md", "plan.md", true],
  ["Edit docs/a plan.md", "docs/a plan.md", true],
  ["Edit notes .github/workflows/ci.yml", ".github/workflows/ci.yml", false],
  ["Edit docs/plan.md", "plan.md", false],
  ["plan.md", "plan.md", true],
])("%s says where it is, if that is %s: %s", (title, path, isSaid) => {
  expect(isVerbAndPath(title, path)).toBe(isSaid);
});
