/** `GET /_framework/models`: the models a turn can choose from (CONTRACT §7). */
import type { Hono } from "hono";
import type { ModelList } from "../contract/models.ts";
import { listModels } from "../turn/list-models.ts";
import type { AppEnv } from "./app-env.ts";
import { route } from "./route.ts";

/** Mounts the route. */
export const mountModelsRoute = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/models", {
    GET: async (c) => c.json({ models: await listModels(c.env, Date.now()) } satisfies ModelList),
  });
};
