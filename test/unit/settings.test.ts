/** Switches as people write them, and as wrangler passes them on. */
import { expect, it } from "vitest";
import { parseSettings } from "../../src/settings.ts";

it.each([
  ["true", true],
  [" TRUE ", true],
  ["1", true],
  ["on", true],
  ["yes", true],
  [true, true],
  [1, true],
  ["false", false],
  ["off", false],
  ["", false],
  [false, false],
  [undefined, false],
  ["what?", false],
])("pauses the agent: %o", (written, isPaused) => {
  expect(parseSettings({ AGENT_PAUSED: written }).AGENT_PAUSED).toBe(isPaused);
});

it.each([
  ["off", false],
  ["No", false],
  [false, false],
  [0, false],
  ["", true],
  [undefined, true],
  ["on", true],
])("asks for titles unless it is told not to: %o", (written, isOn) => {
  expect(parseSettings({ AGENT_TITLES: written }).AGENT_TITLES).toBe(isOn);
});

it.each([[undefined], [""], [" "]])("the agent's directory is this one where none is named: %j", (written) => {
  expect(parseSettings({ AGENT_WORKSPACE_DIR: written }).AGENT_WORKSPACE_DIR).toBe(".");
});
