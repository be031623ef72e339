/** The standing permissions of a thread: list them, revoke one (CONTRACT §2). A revoked rule is off from the next call on. */
import type { Context, Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import { type HarnessSessionId, RequestId } from "../contract/ids.ts";
import type { RuleView } from "../contract/permission.ts";
import { openDb } from "../db/db.ts";
import { findThreadSession } from "../db/threads.ts";
import { anthropicHarness } from "../harness/anthropic-harness.ts";
import { reach } from "../run/reach.ts";
import type { AppEnv } from "./app-env.ts";
import { route } from "./route.ts";
import { threadIdOf, threadNotFound } from "./thread-routes.ts";

const PATH = "/_framework/threads/:thread_id/rules";

/** Mounts the rule routes. */
export const mountRuleRoutes = (app: Hono<AppEnv>): void => {
  route(app, PATH, {
    GET: async (c) => {
      const sessionId = await sessionOf(c);
      const rules =
        sessionId === null ? [] : await reach(async () => await c.env.SESSIONS.getByName(sessionId).listRules());
      return c.json({
        rules: rules.map(
          ({ ruleId, label, createdAtMs }): RuleView => ({
            ruleId,
            label,
            createdAt: new Date(createdAtMs).toISOString(),
          }),
        ),
      });
    },
  });
  route(app, `${PATH}/:rule_id`, {
    DELETE: async (c) => {
      const sessionId = await sessionOf(c);
      const ruleId = RequestId.safeParse(c.req.param("rule_id"));
      const isRemoved =
        sessionId !== null &&
        ruleId.success &&
        (await reach(async () => await c.env.SESSIONS.getByName(sessionId).removeRule(ruleId.data)));
      if (!isRemoved) throw new AppError(404, "Rule not found.");
      return c.json({ ok: true });
    },
  });
};

/** The thread's session, null while it has none. @throws {AppError} 404 when the caller has no such thread. */
const sessionOf = async (c: Context<AppEnv>): Promise<HarnessSessionId | null> => {
  const found = await findThreadSession(
    openDb(c.env.DB),
    c.var.caller.ownerEmail,
    threadIdOf(c),
    anthropicHarness.name,
  );
  if (found === undefined) throw threadNotFound();
  return found.sessionId;
};
