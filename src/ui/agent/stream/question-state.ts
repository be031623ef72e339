import type { EventOf } from "../../../contract/transcript.ts";

/** Questions of a call. Open while `reply` is undefined; `answers` is null when nobody gave any. */
export type QuestionState = Pick<EventOf<"question_request">, "requestId" | "questions" | "expiresAt"> & {
  readonly reply: Pick<EventOf<"question_reply">, "answers" | "by"> | undefined;
};
