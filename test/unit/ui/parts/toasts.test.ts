/** A button of a toast that is pressed by a key, wherever the focus is. */
import { expect, test, vi } from "vitest";

// What tests of other files have shown stays in the module they share, and may be what leaves no room for these.
vi.resetModules();
const { pressInToasts, showToast } = await import("../../../../src/ui/parts/toasts.tsx");

test("the newest toast with the button is pressed, also where another button comes before it, and each toast once", () => {
  const pressed: string[] = [];
  const undo = (what: string) => ({ label: "Undo", run: () => void pressed.push(what) });
  showToast({ text: "AAPL deleted", action: undo("the deletion") });
  const view = { label: "View", run: () => void pressed.push("view") };
  showToast({ text: "MSFT added", action: view, otherAction: undo("the addition") });
  showToast({ text: "Copied" });
  pressInToasts("Undo");
  pressInToasts("Undo");
  pressInToasts("Undo");
  expect(pressed).toEqual(["the addition", "the deletion"]);
});
