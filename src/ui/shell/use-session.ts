/** Who is signed in. */
import { type UseQueryResult, useQuery } from "@tanstack/preact-query";
import { admitPerson } from "../account/person.ts";
import { requestJson } from "../actions/request-json.ts";

/** As `GET /_framework/session` answers. */
export type Session = { readonly email: string; readonly orgId: string | null; readonly authDisabled: boolean };

/** The signed-in person; rejects with a 401 `ApiError` when nobody is. */
export const useSession = (): UseQueryResult<Session> =>
  useQuery<Session>({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await requestJson<Session>("/_framework/session", { signal });
      admitPerson(session.email);
      return session;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
