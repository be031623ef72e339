/** What is said of a run's budget. */
import { formatCost } from "../../format/format-cost.ts";
import type { Budget, PermissionReply } from "../transcript-item.ts";

/** The sentence that asks. */
export const budgetWords = (budget: Budget, locale: string): string =>
  `This answer has cost ${spentWords(budget, locale)} so far.`;

const OUTCOMES: Readonly<Record<PermissionReply["decision"], string>> = {
  allow_once: "you let it go on",
  allow_always: "you let it go on",
  reject: "you stopped it",
  expired: "nobody answered in time, so it stopped",
  aborted: "it was stopped before an answer",
};

/** The sentence in place of the question. */
export const budgetOutcomeWords = (decision: PermissionReply["decision"], budget: Budget, locale: string): string =>
  `At ${spentWords(budget, locale)}, ${OUTCOMES[decision]}.`;

/** `$0.48 of $0.50`. */
const spentWords = ({ spentUsd, limitUsd }: Budget, locale: string): string =>
  `${formatCost(spentUsd, locale)} of ${formatCost(limitUsd, locale)}`;
