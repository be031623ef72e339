/** Shows markdown from the model, also while it is being written. A chunk of its own: see `useMarkdown`. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { copyText } from "../copy-text.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { judgeLink, type LinkDoubt, mailFields } from "./judge-link.ts";
import styles from "./markdown.css";
import { advanceDocument, EMPTY_DOCUMENT } from "./markdown-document.ts";

export { showsAll } from "./shows-all.ts";

/** A pressed link: its text as shown, and its full address. */
type PressedLink = { readonly words: string; readonly href: string };

type LinkDialogProps = { readonly link: PressedLink; readonly onClose: () => void };

/** Asks before a doubtful link opens: names where it leads and shows the full address. */
const LinkDialog = ({ link: { words, href }, onClose }: LinkDialogProps) => {
  const { target, doubt } = judgeLink(words, href);
  const isMail = href.startsWith("mailto:");
  return (
    <Dialog
      title={isMail ? "Write this email?" : "Open this link?"}
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <a class="btn primary" href={href} target="_blank" rel="noopener noreferrer nofollow" onClick={onClose}>
            {isMail ? "Write it" : `Open ${target}`}
          </a>
        </>
      }
    >
      <div class="link-facts">
        <p>
          It leads to <strong>{target}</strong>. {doubt && REASONS[doubt]}
        </p>
        <dl>
          <Fact name="Text">{words}</Fact>
          {isMail &&
            mailFields(href).map(([name, value], index) => (
              <Fact key={index} name={name}>
                {value}
              </Fact>
            ))}
          <Fact name="Address">{href}</Fact>
        </dl>
      </div>
    </Dialog>
  );
};

const REASONS: Readonly<Record<LinkDoubt, string>> = {
  otherPlace: "Its text looks like a different address.",
  nameBeforeHost: "The part of the address before the @ is only a name.",
  writtenMail: "The agent filled in part of the email.",
};

const Fact = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div>
    <dt>
      <ForeignText text={name} />
    </dt>
    <dd>
      <ForeignText text={children} isCode />
    </dd>
  </div>
);

/** Matches code blocks. Their button is put around the document's vnode, which stays the same object, so that Preact skips it. */
const IS_CODE = /^ {0,3}(?:`{3}|~{3})/;

/** How long a button says that it has copied, in ms. */
const COPIED_MS = 2_000;

/** A finished block of code with a button that copies it. */
const CodeBlock = ({ children }: { readonly children: VNode }) => {
  const box = useRef<HTMLDivElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(box.current?.querySelector("code")?.textContent ?? ""))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="code-block" ref={box}>
      <Button tone="ghost" isSmall onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy"}
      </Button>
      {children}
    </div>
  );
};

/** `isOpen` while more text may come: its open end is then completed (`mendTail`). */
type MarkdownProps = { readonly text: string; readonly isOpen: boolean };

/** Untrusted text as elements: no HTML, no images, links only to http, https, mailto and the app's own screens. */
export default function Markdown({ text, isOpen }: MarkdownProps): VNode {
  adoptStyles(styles);
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only handles clicks on the buttons inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a button's key arrives as a click. */}
      <div class="markdown" onClick={onClick}>
        {document.current.blocks.map(({ key, raw, vnode }) =>
          IS_CODE.test(raw) && !isOpen ? <CodeBlock key={`code ${key}`}>{vnode}</CodeBlock> : vnode,
        )}
      </div>
      {pressed && <LinkDialog link={pressed} onClose={() => setPressed(undefined)} />}
    </>
  );
}
