/** The standing permissions of a thread, and the way to take each back. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import type { RuleView } from "../../../contract/permission.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { explainProblem } from "../conversation/explain-problem.ts";
import { ForeignText } from "../permission/foreign-text.tsx";
import { shownText } from "../permission/text-parts.ts";
import { readRules, revokeRule } from "./thread-requests.ts";

type RulesDialogProps = { readonly threadId: string; readonly onClose: () => void };

/** Read anew each time it is opened. */
export const RulesDialog = ({ threadId, onClose }: RulesDialogProps) => {
  const client = useQueryClient();
  const queryKey = ["rules", threadId];
  const { data: rules, error } = useQuery<readonly RuleView[]>({
    queryKey,
    queryFn: ({ signal }) => readRules(threadId, signal),
    staleTime: 0,
  });
  const [problem, setProblem] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const revoke = async (rule: RuleView): Promise<void> => {
    setProblem(undefined);
    try {
      await revokeRule(threadId, rule.ruleId);
      // The button goes away with its rule.
      list.current?.focus();
      client.setQueryData<readonly RuleView[]>(queryKey, (now) => now?.filter(({ ruleId }) => ruleId !== rule.ruleId));
      announce("Rule removed.");
    } catch (failure) {
      setProblem(explainProblem(failure));
    }
  };
  // A thread without a first message is unknown to the server.
  const words = problem ?? (error && !("status" in error && error.status === 404) ? explainProblem(error) : undefined);
  return (
    <Dialog title="Standing rules" onClose={onClose}>
      <div class="rules" ref={list} tabIndex={-1}>
        {words && (
          <p class="problem" role="alert">
            {words}
          </p>
        )}
        {(rules?.length === 0 || (error && !words)) && (
          <p class="muted">None. “Always allow” on a question of the agent makes one; it holds in this chat only.</p>
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

const SINCE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
