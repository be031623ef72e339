/** The mails that the Worker sends while tests run, kept instead of sent. */

type Mail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: unknown;
};

const mails: Mail[] = [];

const refused = (code: string, why: string): Error => Object.assign(new Error(why), { code });

/** Headers that a mail may have, besides those that begin with `X-`. */
const HEADERS =
  /^(X-[\w-]+|In-Reply-To|References|List-(Unsubscribe|Unsubscribe-Post|Id|Archive|Help|Owner|Post|Subscribe)|Precedence|Auto-Submitted)$/i;

/** Why Email Service refuses headers: https://developers.cloudflare.com/email-service/reference/headers/#validation-rules. */
const headersProblem = (headers: Readonly<Record<string, string>>): Error | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADERS.test(name)) return refused("E_HEADER_NOT_ALLOWED", `Header '${name}' is not allowed.`);
    if (Buffer.byteLength(value) > 2_048) return refused("E_HEADER_VALUE_TOO_LONG", `Header '${name}' is too long.`);
    if (value === "" || /[\r\n]/.test(value))
      return refused("E_HEADER_VALUE_INVALID", `Header '${name}' is malformed.`);
  }
  const { "List-Unsubscribe": link, "List-Unsubscribe-Post": post } = headers;
  if (link !== undefined && !/^<(https:\/\/|mailto:)[^<>]+>$/.test(link))
    return refused(
      "E_HEADER_VALUE_INVALID",
      "Header 'List-Unsubscribe' must contain angle-bracket HTTPS or mailto URI(s).",
    );
  return post === undefined || (post === "List-Unsubscribe=One-Click" && link?.startsWith("<https:"))
    ? undefined
    : refused("E_HEADER_VALUE_INVALID", "Header 'List-Unsubscribe-Post' is malformed.");
};

/** https://developers.cloudflare.com/email-service/platform/limits/ */
const MAX_SUBJECT = 998;

/** What `env.MAIL` is in tests. An address that begins with `bounces` cannot be reached, one with `suppressed` never again. */
export const outbox: SendEmail = {
  send: async (message: EmailMessage | EmailMessageBuilder) => {
    if (!("text" in message) || typeof message.to !== "string") throw new Error("Codes go to one address, as text.");
    if (message.to.startsWith("bounces")) throw new Error("The mail server is away.");
    if (message.to.startsWith("suppressed")) throw refused("E_RECIPIENT_SUPPRESSED", "The recipient is suppressed.");
    const from = typeof message.from === "string" ? message.from : message.from.email;
    const { subject, text = "", headers } = message;
    const problem = headersProblem(headers ?? {});
    if (problem !== undefined) throw problem;
    if (
      subject === "" ||
      subject.length > MAX_SUBJECT ||
      /[\r\n]/.test(subject) ||
      !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(from)
    )
      throw refused("E_VALIDATION_ERROR", "The mail is malformed.");
    mails.push({ to: message.to, from, subject, text, headers });
    return { messageId: crypto.randomUUID() };
  },
};

/** The mails sent to an address, oldest first. */
export const mailsTo = (email: string): Mail[] => mails.filter(({ to }) => to === email);

/** The codes sent to an address, oldest first. */
export const codesSentTo = (email: string): string[] =>
  mails.filter(({ to }) => to === email).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? text);
