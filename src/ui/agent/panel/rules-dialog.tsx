import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import type { RuleView } from "../../../contract/permission.ts";
import { isGone } from "../../api/api-error.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useProblem } from "../../parts/task/use-problem.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { ForeignText, shownText } from "../permission/foreign-text.tsx";
import { readRules, revokeRule } from "./use-threads.ts";

type RulesDialogProps = { readonly threadId: string; readonly onClose: () => void };

/** What is always allowed in a thread, with a button to revoke each rule. Loaded each time it opens. */
export const RulesDialog = ({ threadId, onClose }: RulesDialogProps) => {
  const client = useQueryClient();
  const queryKey = ["rules", threadId];
  const { data: rules, error } = useQuery<readonly RuleView[]>({
    queryKey,
    queryFn: ({ signal }) => readRules(threadId, signal),
    staleTime: 0,
  });
  const [problem, setProblem] = useProblem("The permission may not have been revoked.");
  const list = useRef<HTMLDivElement>(null);
  /** Rules that are being revoked: a second press is ignored. */
  const underWay = useRef(new Set<string>()).current;
  const revoke = async (rule: RuleView): Promise<void> => {
    if (underWay.has(rule.ruleId)) return;
    underWay.add(rule.ruleId);
    setProblem(undefined);
    try {
      await revokeRule(threadId, rule.ruleId);
      // The button disappears with its rule.
      list.current?.focus();
      client.setQueryData<readonly RuleView[]>(queryKey, (now) => now?.filter(({ ruleId }) => ruleId !== rule.ruleId));
      announce("Permission revoked.");
    } catch (failure) {
      setProblem(explainProblem(failure));
    }
    underWay.delete(rule.ruleId);
  };
  // A thread without a first message is unknown to the server.
  const words = problem ?? (error && !isGone(error) ? explainProblem(error) : undefined);
  return (
    <Dialog title="Permissions in this chat" onClose={onClose}>
      <div class="rules" ref={list} tabIndex={-1}>
        {words && (
          <p class="problem" role="alert">
            {words}
          </p>
        )}
        {(rules?.length === 0 || (error && !words)) && (
          <p class="muted">None yet. What you choose to “Always allow” in this chat is listed here.</p>
        )}
        <ul>
          {rules?.map((rule) => (
            <li key={rule.ruleId}>
              <span>
                Always allow <ForeignText text={rule.label} isCode />
                <small>Since {SINCE.format(new Date(rule.createdAt))}</small>
              </span>
              <Button isSmall aria-label={`Revoke: ${shownText(rule.label)}`} onClick={() => void revoke(rule)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
};

const SINCE = new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: "medium", timeStyle: "short" });
