/** Between the tags of our own texts to a model stands what files, screens and other people have said. */

/** Keeps a text inside its fence: it can neither open nor close one of our tags. */
export const fence = (text: string): string => text.replace(/<(?=[\s/]*(?:data|context|instructions)\b)/gi, "\\u003c");
