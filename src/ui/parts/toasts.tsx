/** Toasts: short messages at the bottom of the page, with up to two buttons. Each stays where it is while newer ones come above it. */
import { IconX } from "@tabler/icons-preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createStore, useStore } from "../state/store.ts";
import { whenVisible } from "../state/when-visible.ts";
import { announce } from "./announcer.tsx";
import { Button } from "./button.tsx";

/** A toast with a tone stays until it is dismissed, or newer ones leave it no room. */
type Toast = {
  readonly id: string;
  readonly text: string;
  readonly tone?: "bad" | "lasting";
  readonly action?: ToastAction;
  readonly otherAction?: ToastAction;
};

/** A button on a toast. Pressing it dismisses the toast. */
type ToastAction = { readonly label: string; readonly run: () => void };

/** How long a toast stays unless it is hovered or focused. Long enough to reach "Undo" by keyboard. */
const SHOWN_MS = 10_000;

/** Most toasts at once; a further one removes the oldest of those that would go by themselves. */
const MAX_TOASTS = 3;

/** The newest first. */
const toasts = createStore<readonly Toast[]>([]);

/**
 * Shows a toast, and announces it: NVDA and JAWS stay silent for `role="status"` that comes into the page together with its words. Returns a
 * function that removes the toast.
 */
export const showToast = (toast: Omit<Toast, "id">): (() => void) => {
  const id = crypto.randomUUID();
  if (toast.tone !== "bad") announce(toast.text);
  const all = [{ ...toast, id }, ...toasts.get()];
  // If all the others have a tone, the index is -1, which removes the last one.
  if (all.length > MAX_TOASTS)
    all.splice(
      all.findLastIndex(({ tone }, place) => place && !tone),
      1,
    );
  toasts.set(all);
  return () => closeToast(id);
};

/** Presses the button `label` on the latest toast that has one, if any. */
export const pressInToasts = (label: string): void => {
  for (const { id, action, otherAction } of toasts.get()) {
    const found = [action, otherAction].find((one) => one?.label === label);
    if (found) return void press(id, found);
  }
};

const press = (id: string, { run }: ToastAction): void => {
  closeToast(id);
  run();
};

const closeToast = (id: string): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Where toasts appear; rendered once. As a popover, it is above open dialogs too. */
export const Toasts = () => {
  const shown = useStore(toasts);
  const region = useRef<HTMLElement>(null);
  const isAny = shown.length > 0;
  useLayoutEffect(() => {
    // Reopened for each toast: what was opened last is on top of everything, dialogs included.
    if (region.current?.matches(":popover-open")) region.current.hidePopover();
    if (isAny) region.current?.showPopover();
  }, [shown, isAny]);
  return (
    <section ref={region} class="toasts" popover="manual" aria-label="Messages">
      {shown.map((toast) => (
        <ToastCard key={toast.id} {...toast} />
      ))}
    </section>
  );
};

const ToastCard = ({ id, text, tone, action, otherAction }: Toast) => {
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (isHeld || tone) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    // Whoever comes back to a hidden tab still has all of its time.
    const wait = (): void => {
      timer = setTimeout(() => (document.hidden ? whenVisible(wait) : closeToast(id)), SHOWN_MS);
    };
    wait();
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wait);
    };
    // Counted from the last change of the toasts, so that they go together: none moves down because an older one has gone.
  }, [isHeld, toasts.get()]);
  return (
    <div
      class={tone ? `toast ${tone}` : "toast"}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      <p role={tone === "bad" ? "alert" : undefined}>{text}</p>
      {[action, otherAction].map(
        (one) =>
          one && (
            <Button key={one.label} tone="ghost" onClick={() => press(id, one)}>
              {one.label}
            </Button>
          ),
      )}
      <Button tone="ghost" icon={IconX} label="Dismiss" onClick={() => closeToast(id)} />
    </div>
  );
};
