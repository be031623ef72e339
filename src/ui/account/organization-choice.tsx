/** Which organization the person works in. Nothing for those who belong to none. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useId, useState } from "preact/hooks";
import { Select } from "../parts/select.tsx";
import { enterOrganization, readOrganizations } from "./auth-requests.ts";
import { explainSignIn } from "./explain-sign-in.ts";

/** The choice that stands for no organization. */
const NONE = "";

/** `orgId` is the one that is active. */
export const OrganizationChoice = ({ orgId }: { readonly orgId: string | null }) => {
  const client = useQueryClient();
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const { data } = useQuery({ queryKey: ["organizations"], queryFn: ({ signal }) => readOrganizations(signal) });
  if (data === undefined || data.length === 0) return null;
  const pick = async (picked: string): Promise<void> => {
    setProblem(undefined);
    try {
      await enterOrganization(picked === NONE ? null : picked);
      await client.refetchQueries({ queryKey: ["session"] });
    } catch (error) {
      setProblem(explainSignIn(error));
    }
  };
  return (
    <div class="field">
      <label for={id}>Organization</label>
      <Select
        id={id}
        value={orgId ?? NONE}
        options={[[NONE, "None, on my own"], ...data.map(({ id: value, name }) => [value, name] as const)]}
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
