/** Asks before a link opens whose words may lead somebody to take it for another. */
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ForeignText } from "../permission/foreign-text.tsx";
import { judgeLink, type LinkDoubt, mailFields } from "./judge-link.ts";

/** A link that was pressed: its words as they were read, and its whole address. */
export type PressedLink = { readonly words: string; readonly href: string };

type LinkDialogProps = { readonly link: PressedLink; readonly onClose: () => void };

/** Names the real place and shows the whole address. */
export const LinkDialog = ({ link: { words, href }, onClose }: LinkDialogProps) => {
  const { target, doubt } = judgeLink(words, href);
  const isMail = href.startsWith("mailto:");
  return (
    <Dialog
      title={isMail ? "Write this mail?" : "Open this link?"}
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
          <Fact name="Its words">{words}</Fact>
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
  otherPlace: "Its words look like another place.",
  nameBeforeHost: "What stands before the @ in its address is only a name.",
  writtenMail: "The agent has filled in a part of the mail.",
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
