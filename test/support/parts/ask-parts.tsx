/** What the agent asks: permissions, a plan, questions, more budget. */
import { IconPencil, IconTerminal2, IconTrash, IconTrendingUp } from "@tabler/icons-preact";
import type { ComponentType } from "preact";
import { RequestId } from "../../../src/contract/ids.ts";
import type { PermissionSubject } from "../../../src/contract/permission.ts";
import { QuestionCard } from "../../../src/ui/agent/guidance/question-card.tsx";
import { PermissionCard } from "../../../src/ui/agent/permission/permission-card.tsx";
import type { PermissionState } from "../../../src/ui/agent/stream/transcript-item.ts";
import type { Part } from "./part.ts";
import { STOCKS } from "./samples.ts";

const EXPIRES = "2026-11-24T10:00:00.000Z";

const ONCE = { decision: "allow_once", label: "Allow once" } as const;

const REJECT = { decision: "reject", label: "Reject" } as const;

const always = (label: string) => ({ decision: "allow_always", label }) as const;

const stateOf = (requestId: string, title: string, subject: PermissionSubject, rule?: string): PermissionState => ({
  ...{ requestId, title, subject, expiresAt: EXPIRES, isTruncated: false, reply: undefined },
  options: [ONCE, ...(rule === undefined ? [] : [always(rule)]), REJECT],
});

const DIFF = `--- a/plan.md
+++ b/plan.md
@@ -1,5 +1,6 @@
 # Plan
 
-Buy Apple below 50.
+Buy Apple below 60.
+Nothing above 5 % of the whole.
 
 Sell nothing before May.
`;

const CODE_DIFF = `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -3,6 +3,6 @@
 // Sums what is held.
-const total = stocks.reduce((sum, stock) => sum + stock.value, 0);
+const total = stocks.filter(({ isHeld }) => isHeld).reduce((sum, { value }) => sum + value, 0);
 export const words = \`\${total} in all\`;
`;

type CardProps = { readonly permission: PermissionState; readonly icon?: typeof IconPencil };

const Card = ({ permission, icon }: CardProps) => (
  <div class="log" style={{ overflow: "visible" }}>
    <PermissionCard permission={permission} runId="parts" isLive={false} {...(icon ? { icon } : {})} />
  </div>
);

const action = (requestId: string, title: string, name: string, input: object, before?: unknown, rule?: string) =>
  stateOf(requestId, title, { type: "action", name, input, before }, rule);

const [apple, sap] = STOCKS;

const ADDS = [
  { symbol: "NVDA", quantity: "25000", avgCost: "118.2", currency: "USD" },
  { symbol: "SIE", name: "Siemens", exchange: "XETR", quantity: "4", avgCost: "1234.5", currency: "EUR" },
];

const cards: readonly (readonly [string, ComponentType])[] = [
  [
    "add a stock",
    () => (
      <Card
        icon={IconTrendingUp}
        permission={action(
          "add",
          "Add NVDA",
          "add-stock",
          ADDS[0] ?? {},
          undefined,
          "Always allow add-stock in this chat",
        )}
      />
    ),
  ],
  [
    "add several",
    () => <Card icon={IconTrendingUp} permission={action("adds", "Add 2 stocks", "add-stock", { items: ADDS })} />,
  ],
  [
    "update a stock",
    () => (
      <Card
        icon={IconTrendingUp}
        permission={action(
          "update",
          "Update a stock",
          "update-stock",
          { id: apple?.id, set: { targetLow: "1234.5", quantity: "12000" } },
          apple,
        )}
      />
    ),
  ],
  [
    "delete a stock",
    () => (
      <Card
        icon={IconTrash}
        permission={action("delete", "Delete a stock", "delete-stock", { id: apple?.id }, apple)}
      />
    ),
  ],
  [
    "delete several",
    () => (
      <Card
        icon={IconTrash}
        permission={action("deletes", "Delete 2 stocks", "delete-stock", { ids: [apple?.id, sap?.id] }, [apple, sap])}
      />
    ),
  ],
  [
    "edit a file",
    () => (
      <Card
        icon={IconPencil}
        permission={stateOf(
          "edit",
          "Write plan.md",
          { type: "edit", path: "plan.md", diff: DIFF },
          "Always allow edits below notes",
        )}
      />
    ),
  ],
  [
    "edit code",
    () => (
      <Card
        icon={IconPencil}
        permission={stateOf("code", "Edit src/sum.ts", { type: "edit", path: "src/sum.ts", diff: CODE_DIFF })}
      />
    ),
  ],
  [
    "run a command",
    () => (
      <Card
        icon={IconTerminal2}
        permission={stateOf(
          "run",
          "Run npm test",
          { type: "command", command: "npm test -- --reporter=dot test/unit", dir: "." },
          "Always allow npm test in this directory",
        )}
      />
    ),
  ],
  [
    "start a schedule",
    () => (
      <Card
        permission={action("plan-once", "Create a schedule", "create-schedule", {
          prompt: "Which targets are reached?",
          cron: "0 9 * * 1",
          timeZone: "Europe/Berlin",
        })}
      />
    ),
  ],
  [
    "accept a plan",
    () => (
      <Card
        permission={stateOf("plan", "Accept this plan", {
          type: "plan",
          markdown: "1. Read the list\n2. Set a buy target for **NVDA**\n3. Delete nothing",
        })}
      />
    ),
  ],
  [
    "spend more",
    () => (
      <Card
        permission={stateOf("budget", "Spend more on this run", { type: "budget", limitUsd: "2", spentUsd: "2.0413" })}
      />
    ),
  ],
];

const requestId = RequestId.parse("0193f5c0-0000-7000-8000-0000000000bb");

const options = [
  { label: "NASDAQ", description: "In US dollars" },
  { label: "XETRA", description: "In euros" },
];

const Questions = ({ multiple }: { readonly multiple: boolean }) => (
  <QuestionCard
    question={{
      requestId,
      questions: [{ question: "Which listings of NVIDIA do you mean?", options, multiple }],
      expiresAt: EXPIRES,
      reply: undefined,
    }}
    runId="parts"
    isLive={false}
  />
);

export const ASK_PARTS: readonly Part[] = [
  ...cards.map(([name, state]): Part => ({ name: `Asks to ${name}`, states: { usual: state } })),
  { name: "Asks which one", states: { usual: () => <Questions multiple={false} /> } },
  { name: "Asks which ones", states: { usual: () => <Questions multiple /> } },
];
