/** Shows markdown of the model, also while it is being written. Its own chunk: load it with `lazy`. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { advanceDocument, EMPTY_DOCUMENT } from "./markdown-document.ts";

/** `isOpen` while more text may come; the open end is then shown as it will probably be read. */
export type MarkdownProps = { readonly text: string; readonly isOpen: boolean };

/** Untrusted text as elements: no HTML, no images, links only to http, https, mailto and the app's own screens. */
export default function Markdown({ text, isOpen }: MarkdownProps): VNode {
  const document = useRef(EMPTY_DOCUMENT);
  document.current = advanceDocument(document.current, text, isOpen);
  return <div class="markdown">{document.current.blocks.map(({ vnode }) => vnode)}</div>;
}
