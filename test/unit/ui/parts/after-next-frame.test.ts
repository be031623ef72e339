/** When the work runs, with frames drawn and tasks begun by hand. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterNextFrame } from "../../../../src/ui/parts/after-next-frame.ts";

const asked = new Map<number, () => void>();

const drawFrame = (): void => {
  const callbacks = [...asked.values()];
  asked.clear();
  for (const callback of callbacks) callback();
};

beforeEach(() => {
  let id = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => asked.set(++id, callback) && id);
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => asked.delete(frame));
});
afterEach(() => {
  asked.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("runs once, behind the frame and not in it", () => {
  const run = vi.fn();
  afterNextFrame(run);
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  drawFrame();
  expect(run).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
  drawFrame();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

test("can be taken back before the frame, and between the frame and the task", () => {
  const run = vi.fn();
  afterNextFrame(run)();
  drawFrame();
  const cancel = afterNextFrame(run);
  drawFrame();
  cancel();
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
});
