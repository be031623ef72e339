/** A step of the history for what covers the screen without an address of its own, so that Back closes it. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Steps of what is open now. */
const open = new Set<string>();

const stepNow = (): unknown => history.state?.backStep;

/** Whether the step that one is at still has the address that it was added with. A search that was typed there has put in another. */
const isUnchanged = (): boolean => history.state?.href === location.href;

/** Steps whose cover is gone, because a link or a reload led away from it, are passed over: Back would seem to do nothing there. */
const passOver = (): void => {
  const step = stepNow();
  if (typeof step === "string" && !open.has(step) && isUnchanged()) history.back();
};

/** What is to be done below a step before anybody takes it for left. */
let underStep: (() => void) | undefined;

addEventListener("popstate", () => {
  underStep?.();
  underStep = undefined;
  passOver();
});
// At the step that a reload has kept. Later, because this may have been loaded for what covers the screen next, which goes on top of it.
setTimeout(passOver);

/** Adds a step, at which Back calls `onBack`. Returns what takes it out again. */
const enterStep = (onBack: () => void): (() => void) => {
  const step = crypto.randomUUID();
  open.add(step);
  history.pushState({ backStep: step, href: location.href }, "");
  const onPop = (): void => {
    // A step that came later is on top of this one.
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

/** Calls `change` at the address below the step that one is at, if any: it may replace that address. What covers the screen stays. */
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

/** While `isOn`, Back calls `onBack` and stays on the page. Closing it in another way takes the step out again. */
export const useBackStep = (isOn: boolean, onBack: () => void): void => {
  const latest = useRef(onBack);
  latest.current = onBack;
  const leave = useRef<(() => void) | undefined>(undefined);
  const isSettled = useRef(false);
  // With what is shown: Back can be pressed as soon as that is seen.
  useLayoutEffect(() => {
    isSettled.current = false;
    leave.current = isOn ? enterStep(() => latest.current()) : undefined;
    // Gone before its first frame was over: what is below will not run.
    return () => {
      if (!isSettled.current) leave.current?.();
    };
  }, [isOn]);
  // Leaves later, when the router has followed the link that closed it.
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
