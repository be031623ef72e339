/** Questions of a run: show them, answer them (api.md §2). What is answered here allows nothing. */
import type { Context, Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import { type Answers, QuestionAnswer } from "../../contract/guidance/question.ts";
import type { RequestId } from "../../contract/ids.ts";
import type { AppEnv } from "../app-env.ts";
import { jsonBody } from "../body.ts";
import { speakerOf } from "../fresh-code.ts";
import { guardChange, limitedRead, route } from "../route.ts";
import { requestIdOf } from "./permission-routes.ts";
import { onRun, runNotFound } from "./run-routes.ts";

const PATH = "/_framework/runs/:run_id/questions/:request_id";

/** Mounts `GET` and `POST` of the questions of one call. */
export const mountQuestionRoutes = (app: Hono<AppEnv>): void => {
  guardChange(app, "POST", PATH);
  app.post(PATH, jsonBody(QuestionAnswer, invalidAnswers), async (c) => {
    const requestId = requestIdOf(c, questionNotFound);
    return c.json({ requestId, answers: await answer(c, requestId, c.req.valid("json")) });
  });
  const find = async (c: Context<AppEnv>): Promise<object> => {
    const requestId = requestIdOf(c, questionNotFound);
    const request = await onRun(c, async (run) => await run.request(c.var.caller.ownerEmail, requestId));
    if (request === "unknown_run") throw runNotFound();
    if (request === undefined || !("questions" in request)) throw questionNotFound();
    return request;
  };
  const get = limitedRead(find, (_, request) => Response.json(request));
  route(app, PATH, { GET: get }, ["POST"]);
};

/** Passes the answers to the run. Returns those that count; anything else is a refusal. */
const answer = async (c: Context<AppEnv>, requestId: RequestId, given: QuestionAnswer): Promise<Answers | null> => {
  const result = await onRun(
    c,
    async (run) => await run.answer(c.var.caller.ownerEmail, requestId, { ...given, ...speakerOf(c) }),
  );
  switch (result.type) {
    case "accepted_answers":
      return result.answers;
    case "unknown_run":
      throw runNotFound();
    // A permission is not given by an answer.
    case "accepted":
    case "not_offered":
    case "unknown_request":
      throw questionNotFound();
    case "unfit":
      throw new AppError(400, result.problem);
    case "answered":
      throw new AppError(409, "Question already answered.");
    case "expired":
      throw new AppError(410, "Question has expired.");
  }
};

const questionNotFound = (): AppError => new AppError(404, "Question not found.");

const INVALID =
  "answers: give a list of 1 to 7 texts for each question, of 1 to 2,000 characters each, or send declined: true.";

const invalidAnswers = (): AppError => new AppError(400, INVALID);
