/** Shows markdown of the model, also while it is being written. Its own chunk: load it with `lazy`. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { LinkDialog, type PressedLink } from "./link-dialog.tsx";
import { advanceDocument, EMPTY_DOCUMENT } from "./markdown-document.ts";

/** `isOpen` while more text may come; the open end is then shown as it will probably be read. */
export type MarkdownProps = { readonly text: string; readonly isOpen: boolean };

/** Untrusted text as elements: no HTML, no images, links only to http, https, mailto and the app's own screens. */
export default function Markdown({ text, isOpen }: MarkdownProps): VNode {
  const document = useRef(EMPTY_DOCUMENT);
  document.current = advanceDocument(document.current, text, isOpen);
  const [pressed, setPressed] = useState<PressedLink>();
  // Blocks keep their vnodes, so their buttons have no handlers of their own.
  const onClick = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button[data-href]") : null;
    if (button?.dataset.href !== undefined) setPressed({ words: button.innerText, href: button.dataset.href });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears of the buttons in it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a button's key arrives as a click. */}
      <div class="markdown" onClick={onClick}>
        {document.current.blocks.map(({ vnode }) => vnode)}
      </div>
      {pressed && <LinkDialog link={pressed} onClose={() => setPressed(undefined)} />}
    </>
  );
}
