/** Short notes at the bottom of the page, with at most two things to do about them. */
import { IconX } from "@tabler/icons-preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createStore } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";
import { Button } from "./button.tsx";

/** A note. `tone: "bad"` stays until it is closed. */
type Toast = {
  readonly id: string;
  readonly text: string;
  readonly tone?: "bad";
  readonly action?: ToastAction;
  readonly otherAction?: ToastAction;
};

/** A button of a note; the note goes when it is pressed. */
type ToastAction = { readonly label: string; readonly run: () => void };

/** How long a note stays when nobody points at it or stands in it. Long enough to reach "Undo" by keyboard. */
const SHOWN_MS = 10_000;

/** Notes at once; the oldest one goes. */
const MAX_TOASTS = 3;

const toasts = createStore<readonly Toast[]>([]);

/** Shows a note; gives what takes it away. */
export const showToast = (toast: Omit<Toast, "id">): (() => void) => {
  const id = crypto.randomUUID();
  toasts.set([...toasts.get(), { ...toast, id }].slice(-MAX_TOASTS));
  return () => closeToast(id);
};

/** Does what the latest note offers under `label`, as if its button was pressed. Nothing when no note offers it. */
export const pressInToasts = (label: string): void => {
  const toast = toasts.get().findLast(({ action }) => action?.label === label);
  if (!toast) return;
  closeToast(toast.id);
  toast.action?.run();
};

const closeToast = (id: string): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** The place where notes appear; once in the app. Above open dialogs too, being a popover. */
export const Toasts = () => {
  const shown = useStore(toasts);
  const region = useRef<HTMLElement>(null);
  const isAny = shown.length > 0;
  useLayoutEffect(() => {
    // Opened anew for each note: the one opened last is on top of everything, a dialog included.
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
    if (isHeld || tone === "bad") return undefined;
    const timer = setTimeout(() => closeToast(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld, tone]);
  return (
    <div
      class={tone ? `toast ${tone}` : "toast"}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      <p role={tone === "bad" ? "alert" : "status"}>{text}</p>
      {[action, otherAction].map(
        (one) =>
          one && (
            <Button
              key={one.label}
              tone="ghost"
              onClick={() => {
                closeToast(id);
                one.run();
              }}
            >
              {one.label}
            </Button>
          ),
      )}
      <Button tone="ghost" icon={IconX} label="Close note" onClick={() => closeToast(id)} />
    </div>
  );
};
