/** Single-key shortcuts. They can be switched off, and do nothing while somebody types (WCAG 2.1.4). */
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasModifier } from "../state/key-events.ts";
import { createStore } from "../state/store.ts";

/** Where this browser keeps whether shortcuts are on; only `off` switches them off. */
export const SHORTCUTS_KEY = "tally.shortcuts";

/** Whether shortcuts are on. */
export const shortcutsOn = createStore(localStorage.getItem(SHORTCUTS_KEY) !== "off");

/** Longest pause within a sequence such as `g s`. */
const SEQUENCE_MS = 1_000;

const TYPES = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** Binds actions to `KeyboardEvent.key` values, or to two such as `g s`. Off while a dialog is over the screen, or a menu is open. */
export const useShortcuts = (actions: Readonly<Record<string, () => void>>): void => {
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => {
    let first = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent): void => {
      if (!shortcutsOn.get() || event.defaultPrevented) return;
      if (hasModifier(event)) return;
      if (event.target instanceof Element && event.target.closest(TYPES)) return;
      if (document.querySelector("dialog:modal, .menu:popover-open")) return;
      const sequence = event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : "";
      first = { key: event.key, at: event.timeStamp };
      const action = latest.current[sequence] ?? latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
};
