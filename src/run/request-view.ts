/** A permission request as its own route shows it: the whole subject, and how it ended. */
import type { RequestId } from "../contract/ids.ts";
import type { PermissionRequest, RequestReply, RequestStore } from "./request-store.ts";

/** The request, with `decision` and `by` once it is decided. */
export type RequestView = Omit<PermissionRequest, "rule" | "basis" | "reply"> & Partial<RequestReply>;

/** The answer of `GET /_framework/runs/<run_id>/permissions/<request_id>`, or undefined for an unknown id. */
export const requestView = (requests: RequestStore, requestId: RequestId): RequestView | undefined => {
  const request = requests.find(requestId);
  if (request === undefined) return undefined;
  const { rule: _, basis: __, reply, ...shown } = request;
  return { ...shown, ...reply };
};
