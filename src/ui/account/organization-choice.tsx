/** Which organization the person works in. Nothing for those who belong to none. */
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
  if (organizations.length === 0) return null;
  const pick = (picked: string): Promise<unknown> =>
    attempt(async () => {
      await enterOrganization(picked === NONE ? null : picked);
      await onPicked();
    });
  return (
    <div class="field">
      <label for={id}>Organization</label>
      <Select
        id={id}
        value={orgId ?? NONE}
        options={[[NONE, "None, on my own"], ...organizations.map(({ id: value, name }) => [value, name] as const)]}
        onPick={(picked) => void pick(picked)}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
