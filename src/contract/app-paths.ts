/** Addresses within the app that more than one place links to: screens, notices, mails. */

/** A chat, by its thread's id as it was sent. */
export const chatPath = (threadId: string): string => `/t/${encodeURIComponent(threadId)}`;

/** The details of a stock, in a dialog over the list. */
export const stockPath = (stockId: string): string => `/stocks?dialog=detail&id=${stockId}`;
