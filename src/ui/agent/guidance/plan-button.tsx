import { IconListCheck } from "@tabler/icons-preact";
import { Button } from "../../parts/button.tsx";

type PlanButtonProps = { readonly isPlan: boolean; readonly onChange: (isPlan: boolean) => void };

/** Chooses plan mode for the next message. */
export const PlanButton = ({ isPlan, onChange }: PlanButtonProps) => (
  <Button
    isSmall
    tone="ghost"
    class="plan-first"
    icon={IconListCheck}
    aria-pressed={isPlan}
    title="The agent changes nothing until you accept its plan"
    onClick={() => onChange(!isPlan)}
  >
    Plan first
  </Button>
);
