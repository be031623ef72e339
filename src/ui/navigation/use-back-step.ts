/** Adds a step to the history for what covers the screen without an address of its own, so that Back closes that cover. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** The steps of the covers that are open now. */
const open = new Set<string>();

const stepNow = (): unknown => history.state?.backStep;

/** Whether the current step still has the address that it was added with. A search that was typed there replaces the address. */
const isUnchanged = (): boolean => history.state?.href === location.href;

/** Goes back past a step whose cover a link or a reload has removed: Back would seem to do nothing there. */
const passOver = (): void => {
  const step = stepNow();
  if (typeof step === "string" && !open.has(step) && isUnchanged()) history.back();
};

/** What `belowStep` has to do once it is below a step, before the step counts as left. */
let underStep: (() => void) | undefined;

addEventListener("popstate", () => {
  underStep?.();
  underStep = undefined;
  passOver();
});
// Passes over a step that a reload has kept. Deferred, because this file may have been loaded for a cover whose step goes on top of it.
setTimeout(passOver);

/** Adds a step from which Back calls `onBack`. Returns a function that removes the step. */
const enterStep = (onBack: () => void): (() => void) => {
  const step = crypto.randomUUID();
  open.add(step);
  history.pushState({ backStep: step, href: location.href }, "");
  const onPop = (): void => {
    // A step that was added later is on top of this one.
    const now = stepNow();
    if (now === step || (typeof now === "string" && isAfter(now, step))) return;
    open.delete(step);
    onBack();
  };
  addEventListener("popstate", onPop);
  return () => {
    removeEventListener("popstate", onPop);
    // A search that was typed meanwhile stays.
    if (open.delete(step) && stepNow() === step && isUnchanged()) history.back();
  };
};

/** Calls `change` at the address below the current step, if there is one: `change` may replace that address. The cover stays. */
export const belowStep = (change: () => void): void => {
  const { state } = history;
  if (stepNow() === undefined) {
    change();
    return;
  }
  underStep = () => {
    change();
    history.pushState({ ...state, href: location.href }, "");
  };
  history.back();
};

/** While `isOn`, Back calls `onBack` and stays on the page. Turning `isOn` off in another way removes the step. */
export const useBackStep = (isOn: boolean, onBack: () => void): void => {
  const latest = useRef(onBack);
  latest.current = onBack;
  const leave = useRef<(() => void) | undefined>(undefined);
  const isSettled = useRef(false);
  // In the same frame as the cover: Back can be pressed as soon as the cover is seen.
  useLayoutEffect(() => {
    isSettled.current = false;
    leave.current = isOn ? enterStep(() => latest.current()) : undefined;
    // If the cover goes before its first frame is over, the effect below never runs.
    return () => {
      if (!isSettled.current) leave.current?.();
    };
  }, [isOn]);
  // Leaves later than a layout effect: the router has then followed the link that closed the cover.
  useEffect(() => {
    isSettled.current = true;
    return leave.current;
  }, [isOn]);
};

/** A set keeps the order in which steps were added. */
const isAfter = (step: string, other: string): boolean => {
  const order = [...open];
  return order.indexOf(step) > order.indexOf(other);
};
