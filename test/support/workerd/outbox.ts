/** The mails that the Worker sends while tests run, kept instead of sent. */

type Mail = { readonly to: string; readonly from: string; readonly text: string };

const mails: Mail[] = [];

/** What `env.MAIL` is in tests. An address that begins with `bounces` cannot be reached. */
export const outbox: SendEmail = {
  send: async (message: EmailMessage | EmailMessageBuilder) => {
    if (!("text" in message) || typeof message.to !== "string") throw new Error("Codes go to one address, as text.");
    if (message.to.startsWith("bounces")) throw new Error("The mail server is away.");
    const from = typeof message.from === "string" ? message.from : message.from.email;
    mails.push({ to: message.to, from, text: message.text ?? "" });
    return { messageId: crypto.randomUUID() };
  },
};

/** The codes sent to an address, oldest first. */
export const codesSentTo = (email: string): string[] =>
  mails.filter(({ to }) => to === email).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? text);
