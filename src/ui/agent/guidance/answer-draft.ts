/** An answer that is being made: what was picked of a question's options, and what the person writes themselves. */

export type AnswerDraft = {
  /** Labels, in the order in which they were picked. */
  readonly chosen: readonly string[];
  /** Whether the answer of their own counts. */
  readonly isOwn: boolean;
  /** Stays while it does not count. */
  readonly own: string;
};

export const NO_ANSWER: AnswerDraft = { chosen: [], isOwn: false, own: "" };

/** Picks an option; where several can be chosen, a second time takes it back. */
export const pickOption = (draft: AnswerDraft, label: string, isMultiple: boolean): AnswerDraft => {
  if (!isMultiple) return { ...draft, chosen: [label], isOwn: false };
  const { chosen } = draft;
  return { ...draft, chosen: chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label] };
};

/** Picks the answer of their own. */
export const pickOwn = (draft: AnswerDraft, isMultiple: boolean): AnswerDraft =>
  isMultiple ? { ...draft, isOwn: !draft.isOwn } : { ...draft, chosen: [], isOwn: true };

/** The answers to send; none while nothing was picked, or nothing written. */
export const answersOf = ({ chosen, isOwn, own }: AnswerDraft): readonly string[] => {
  const words = own.trim();
  return isOwn && words !== "" && !chosen.includes(words) ? [...chosen, words] : chosen;
};
