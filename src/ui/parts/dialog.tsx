/** A modal dialog over the native element, which keeps the focus inside and gives it back. */
import { IconX } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

type DialogProps = {
  readonly title: ComponentChildren;
  /** Called for Escape, the backdrop and the close button. The dialog stays until it is no longer rendered. */
  readonly onClose: () => void;
  readonly size?: "narrow" | "wide";
  /** Takes the whole height on a phone, for forms that grow. */
  readonly isTall?: boolean;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** Submits on Enter and by a submit button in the footer; makes the dialog a form. */
  readonly onSubmit?: () => void;
};

/** Open for as long as it is rendered. */
export const Dialog = ({ title, onClose, size, isTall, children, footer, onSubmit }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      // Preact takes the element away without closing it: the platform would give no focus back, and while it is still
      // open nothing outside of it can have the focus.
      dialog?.close();
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      const target = isThere ? opener : document.querySelector<HTMLElement>("main");
      target?.focus({ preventScroll: true });
    };
  }, []);
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the backdrop's key is Escape, which arrives as `cancel`.
    <dialog
      ref={ref}
      class={["dialog", size, isTall && "tall"].filter(Boolean).join(" ")}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
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
