/** Addresses within the app that more than one place links to: screens, notices, mails. */

/** A chat, by its thread's id as it was sent. */
export const chatPath = (threadId: string): string => `/t/${encodeURIComponent(threadId)}`;

/** Whether a path leads to the chat's screen, with a new chat or an existing one. */
export const isChatPath = (path: string): boolean => path === "/" || path.startsWith("/t/");
