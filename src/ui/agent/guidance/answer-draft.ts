/** An answer in the making: which of a question's options were picked, and what the person writes themselves. */

export type AnswerDraft = {
  /** Labels, in the order in which they were picked. */
  readonly chosen: readonly string[];
  /** Whether the person's own answer counts. */
  readonly isOwn: boolean;
  /** The person's own answer, which is kept while it does not count. */
  readonly own: string;
};

export const NO_ANSWER: AnswerDraft = { chosen: [], isOwn: false, own: "" };

/** Picks an option. If several can be chosen, picking it a second time takes it back. */
export const pickOption = (draft: AnswerDraft, label: string, isMultiple: boolean): AnswerDraft => {
  if (!isMultiple) return { ...draft, chosen: [label], isOwn: false };
  const { chosen } = draft;
  return { ...draft, chosen: chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label] };
};

/** Picks the person's own answer. If several can be chosen, picking it a second time takes it back. */
export const pickOwn = (draft: AnswerDraft, isMultiple: boolean): AnswerDraft =>
  isMultiple ? { ...draft, isOwn: !draft.isOwn } : { ...draft, chosen: [], isOwn: true };

/** The answers to send: empty while no option was picked and no own answer written. */
export const answersOf = ({ chosen, isOwn, own }: AnswerDraft): readonly string[] => {
  const words = own.trim();
  return isOwn && words !== "" && !chosen.includes(words) ? [...chosen, words] : chosen;
};
