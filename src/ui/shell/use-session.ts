/** Who is signed in. */
import { type UseQueryResult, useQuery } from "@tanstack/preact-query";
import { requestJson } from "../actions/request-json.ts";

/** As `GET /_framework/session` answers. */
export type Session = { readonly email: string; readonly orgId: string | null; readonly authDisabled: boolean };

/** The signed-in person; rejects with a 401 `ApiError` when nobody is. */
export const useSession = (): UseQueryResult<Session> =>
  useQuery<Session>({
    queryKey: ["session"],
    queryFn: ({ signal }) => requestJson("/_framework/session", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
