/** A modal dialog, built on the native element, which keeps the focus inside and gives it back. */
import { IconX } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { useOwnId } from "./use-own-id.ts";

type DialogProps = {
  readonly title: ComponentChildren;
  /** Called for Escape, the backdrop and the close button. The dialog stays open while it is rendered. */
  readonly onClose: () => void;
  readonly size?: "narrow" | "wide";
  /** Takes the whole height on a phone, for forms that grow. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** Submits on Enter and by a submit button in the footer; makes the dialog a form. */
  readonly onSubmit?: () => void;
};

export const Dialog = ({ title, onClose, size, isTall, children, footer, onSubmit }: DialogProps) => {
  const shown = useRef<HTMLDialogElement>();
  const titleId = useOwnId();
  const opener = useRef<Element | null>(null);
  // A ref runs before all effects, and effects inside may focus something in the dialog.
  const open = useCallback((dialog: HTMLDialogElement | null): void => {
    if (dialog === null) return;
    shown.current = dialog;
    opener.current = document.activeElement;
    dialog.showModal();
  }, []);
  useLayoutEffect(
    () => () => {
      // Preact removes the element without closing it, so the browser would not give the focus back; and while it is
      // open, nothing outside of it can take the focus.
      shown.current?.close();
      const { current } = opener;
      const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body;
      const target = isThere ? current : document.querySelector<HTMLElement>("main");
      target?.focus({ preventScroll: true });
    },
    [],
  );
  const parts = (
    <>
      <header>
        <h2 id={titleId}>{title}</h2>
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
      class={["dialog", size, isTall && "tall"].filter(Boolean).join(" ")}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
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
