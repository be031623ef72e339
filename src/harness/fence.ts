/** Keeps text of files, screens and other people inside the tags that we put around it for a model: it can neither open nor close one of them. */
export const fence = (text: string): string => text.replace(/<(?=[\s/]*(?:data|context|instructions)\b)/gi, "\\u003c");
