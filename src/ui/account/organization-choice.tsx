/** Which organization the person works in. Nothing for those who belong to none. */
import { useRef } from "preact/hooks";
import { Select } from "../parts/select.tsx";
import { useOwnId } from "../parts/use-own-id.ts";
import { enterOrganization } from "./organization-requests.ts";
import { useAttempt } from "./use-attempt.ts";

/** The choice that stands for no organization. */
const NONE = "";

type OrganizationChoiceProps = {
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  /** The one that is active. */
  readonly orgId: string | null;
  readonly onPicked: () => Promise<void>;
};

/** A choice that fails leaves the one before. */
export const OrganizationChoice = ({ organizations, orgId, onPicked }: OrganizationChoiceProps) => {
  const id = useOwnId();
  const { problem, attempt } = useAttempt();
  /** What was picked last and has not been entered: a pick while another one is under way comes right after it. */
  const wanted = useRef<string>();
  if (organizations.length === 0) return null;
  const enterWanted = async (): Promise<void> => {
    for (let picked = wanted.current; picked !== undefined; picked = wanted.current) {
      wanted.current = undefined;
      await enterOrganization(picked === NONE ? null : picked);
      if (wanted.current === undefined) await onPicked();
    }
  };
  const pick = (picked: string): void => {
    wanted.current = picked;
    void attempt(enterWanted);
  };
  return (
    <div class="field">
      <label for={id}>Organization</label>
      <Select
        id={id}
        value={orgId ?? NONE}
        options={[[NONE, "None, on my own"], ...organizations.map(({ id: value, name }) => [value, name] as const)]}
        onPick={pick}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
