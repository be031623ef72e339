/** The mails that the Worker sends while tests run, kept instead of sent. */

type Mail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: unknown;
};

const mails: Mail[] = [];

/** What `env.MAIL` is in tests. An address that begins with `bounces` cannot be reached, one with `suppressed` never again. */
export const outbox: SendEmail = {
  send: async (message: EmailMessage | EmailMessageBuilder) => {
    if (!("text" in message) || typeof message.to !== "string") throw new Error("Codes go to one address, as text.");
    if (message.to.startsWith("bounces")) throw new Error("The mail server is away.");
    if (message.to.startsWith("suppressed"))
      throw Object.assign(new Error("The recipient is suppressed."), { code: "E_RECIPIENT_SUPPRESSED" });
    const from = typeof message.from === "string" ? message.from : message.from.email;
    const { subject, text = "", headers } = message;
    mails.push({ to: message.to, from, subject, text, headers });
    return { messageId: crypto.randomUUID() };
  },
};

/** The mails sent to an address, oldest first. */
export const mailsTo = (email: string): Mail[] => mails.filter(({ to }) => to === email);

/** The codes sent to an address, oldest first. */
export const codesSentTo = (email: string): string[] =>
  mails.filter(({ to }) => to === email).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? text);
