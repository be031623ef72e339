/** Text as it is, in a box that scrolls by itself. */
import { ForeignText } from "../permission/foreign-text.tsx";

/** Untrusted text: always a text node. */
export const MonoBox = ({ label, text }: { readonly label: string; readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1).
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
  <pre class="mono" role="group" aria-label={label} tabIndex={0}>
    <ForeignText text={text} isCode />
  </pre>
);
