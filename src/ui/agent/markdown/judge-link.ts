/**
 * What a person has to know of a link before they follow it: where it really leads, which its words need not say. The words
 * are the model's, and the model reads what strangers wrote.
 */

/** Why a link asks before it opens. */
export type LinkDoubt =
  /** Its words look like another host, or another mail address. */
  | "otherPlace"
  /** Something before the host, up to an `@`, that may look like one. */
  | "nameBeforeHost"
  /** A mail with a subject, a text or further addresses. */
  | "writtenMail";

/** `target` is a host as the browser names it, or a mail address. `isSaid`: the words are the address itself. */
export type LinkFacts = {
  readonly target: string;
  readonly isSaid: boolean;
  readonly doubt: LinkDoubt | undefined;
};

/** `href` is what `safeHref` answered: an absolute http, https or mailto address. */
export const judgeLink = (words: string, href: string): LinkFacts => {
  const url = new URL(href);
  const isMail = url.protocol === "mailto:";
  const target = isMail ? mailAddress(url) : url.host;
  const isSaid = withoutFrame(words) === withoutFrame(href);
  return { target, isSaid, doubt: isMail ? doubtOfMail(words, url) : doubtOfPage(words, url, isSaid) };
};

const doubtOfPage = (words: string, url: URL, isSaid: boolean): LinkDoubt | undefined => {
  if (url.username !== "" || url.password !== "") return "nameBeforeHost";
  const isOther = (host: string): boolean => withoutWww(host) !== withoutWww(url.hostname);
  return !isSaid && hostsIn(words).some(isOther) ? "otherPlace" : undefined;
};

const doubtOfMail = (words: string, url: URL): LinkDoubt | undefined => {
  if (url.search !== "") return "writtenMail";
  const namesIt = plain(words).toLowerCase().includes(mailAddress(url).toLowerCase());
  return hostsIn(words).length > 0 && !namesIt ? "otherPlace" : undefined;
};

/** The fields of a mail's address, beside whom it goes to: subject, text, copies. */
export const mailFields = (href: string): readonly (readonly [name: string, value: string])[] =>
  // In these addresses a plus is a plus.
  [...new URLSearchParams(new URL(href).search.replaceAll("+", "%2B"))];

const mailAddress = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    // No spelling of a character: shown as it is written.
    return pathname;
  }
};

/** Something that people read as a host: labels with dots, the last one of letters, or four numbers. Its path goes with it. */
const HOST = /(?<host>[\p{L}\p{M}\p{N}_-]+(?:[.\u3002][\p{L}\p{M}\p{N}_-]+)+)(?::\d+)?(?:[/?#]\S*)?/gu;
const ENDS_AS_HOST = /[.\u3002](?:\p{L}[\p{L}\p{M}]+|xn--[\p{L}\p{N}-]+)$|^\d+(?:\.\d+){3}$/u;

/** The hosts that words name, as the browser would call them. */
const hostsIn = (words: string): readonly string[] =>
  [...plain(words).matchAll(HOST)]
    .map(({ groups }) => groups?.host ?? "")
    .filter((host) => ENDS_AS_HOST.test(host))
    .map((host) => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host));

/** As it is read: without what cannot be seen, wide and joined letters as plain ones. */
const plain = (words: string): string =>
  words.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "").normalize("NFKC");

const withoutFrame = (address: string): string =>
  address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");

const withoutWww = (host: string): string => host.replace(/^www\./, "");
