/**
 * A modal dialog, built on the native element, which keeps the focus inside and gives it back; or one beside the screen, which leaves
 * everything else as it is.
 */
import { IconX } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { useOwnId } from "./use-own-id.ts";

/** The open modal dialogs, the topmost last. */
let modals: readonly HTMLDialogElement[] = [];

/**
 * Moves toasts and announcements into the topmost modal dialog, or back out. Everything outside a modal dialog is inert: nothing there
 * can be pressed or is read aloud.
 */
const placeMessages = (open: readonly HTMLDialogElement[]): void => {
  modals = open;
  const messages = document.getElementById("messages");
  (modals.at(-1) ?? document.body).append(messages ?? "");
  // Moving a popover closes it.
  const toasts = messages?.querySelector<HTMLElement>("[popover]:not(:empty, :popover-open)");
  toasts?.showPopover();
};

type DialogProps = {
  readonly title: ComponentChildren;
  /** Called for Escape, the backdrop and the close button. The dialog stays open while it is rendered. */
  readonly onClose: () => void;
  readonly size?: "narrow" | "wide";
  /** Takes the whole height on a phone, for forms that grow. */
  readonly isTall?: boolean;
  /** At the side of the window: `beside` the screen, or a `sheet` over it. */
  readonly side?: "beside" | "sheet";
  /** Returns where the focus goes on closing. `opener` had the focus before, if it is still there, and gets it back by default. */
  readonly home?: (opener: HTMLElement | undefined) => HTMLElement | null | undefined;
  /** Before the close button. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** Submits on Enter and by a submit button in the footer; makes the dialog a form. */
  readonly onSubmit?: () => void;
};

export const Dialog = ({
  title,
  onClose,
  size,
  isTall,
  side,
  home,
  tools,
  children,
  footer,
  onSubmit,
}: DialogProps) => {
  const shown = useRef<HTMLDialogElement>();
  const titleId = useOwnId();
  const opener = useRef<Element | null>(null);
  const pressed = useRef<EventTarget | null>(null);
  const isBeside = side === "beside";
  const latestHome = useRef(home);
  latestHome.current = home;
  // A ref runs before all effects, and effects inside may focus something in the dialog.
  const open = useCallback((dialog: HTMLDialogElement | null): void => {
    if (dialog === null) return;
    shown.current = dialog;
    opener.current = document.activeElement;
    if (isBeside) dialog.open = true;
    else {
      dialog.showModal();
      placeMessages([...modals, dialog]);
    }
  }, []);
  useLayoutEffect(
    () => () => {
      // Preact removes the element without closing it, so the browser would not give the focus back; and while it is
      // open, nothing outside of it can take the focus.
      const hadFocus = shown.current?.contains(document.activeElement);
      shown.current?.close();
      if (!isBeside) placeMessages(modals.filter((modal) => modal !== shown.current));
      if (isBeside && !hadFocus) return;
      const { current } = opener;
      const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body;
      const back = isThere ? current : undefined;
      const target = latestHome.current?.(back) ?? back ?? document.querySelector<HTMLElement>("main");
      target?.focus({ preventScroll: true });
    },
    [],
  );
  const parts = (
    <>
      <header>
        <h2 id={titleId}>{title}</h2>
        {tools}
        <Button tone="ghost" icon={IconX} label="Close" onClick={onClose} />
      </header>
      <div class="body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the backdrop's key is Escape, which fires `cancel`.
    <dialog
      ref={open}
      class={["dialog", size, side, isTall && "tall"].filter(Boolean).join(" ")}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file picker inside fires this event too. A cancel that cannot be prevented closes the dialog, see below.
        if (event.target !== event.currentTarget || !event.cancelable) return;
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // When Escape is pressed again, Chromium closes this dialog and those below without asking. Their renderers decide, so all reopen.
        if (!currentTarget.isConnected || currentTarget.open) return;
        for (const modal of modals) if (!modal.open) modal.showModal();
        placeMessages(modals);
        onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target, currentTarget }) => {
        // A press that selects text beyond the edge ends outside too.
        if (target === currentTarget && pressed.current === target) onClose();
      }}
    >
      {onSubmit ? (
        <form
          class="dialog-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {parts}
        </form>
      ) : (
        parts
      )}
    </dialog>
  );
};
