/** Ends mails by the link in them: a mail program posts to it (RFC 8058), and a person who opens it gets a button (api.md §9). */
import type { Context, Hono } from "hono";
import { AppError } from "../../contract/app-error.ts";
import type { OwnerEmail } from "../../contract/ids.ts";
import { ownerOfToken, UNSUBSCRIBE_PATH, unsubscribe } from "../../notice/unsubscribe.ts";
import type { AppEnv } from "../app-env.ts";
import { limitBody } from "../body.ts";
import { refuseCrossSite } from "../cross-site.ts";
import { limitAddress } from "../rate-limit.ts";
import { refuseOtherMethods } from "../route.ts";

const PATH = `${UNSUBSCRIBE_PATH}/:token`;

/** Mounts the route. Opening the link changes nothing: programs that look at mails for their readers open every link. */
export const mountUnsubscribeRoute = (app: Hono<AppEnv>): void => {
  app.get(PATH, limitAddress, async (c) => {
    await requireOwner(c);
    return page(c, ASK);
  });
  app.post(PATH, limitAddress, refuseCrossSite, limitBody, async (c) => {
    await unsubscribe(c.env, await requireOwner(c));
    return page(c, DONE);
  });
  refuseOtherMethods(app, PATH, ["GET", "POST"]);
};

const requireOwner = async (c: Context<AppEnv>): Promise<OwnerEmail> => {
  const owner = await ownerOfToken(c.env, c.req.param("token") ?? "");
  if (owner === undefined) throw new AppError(404, "Not found.");
  return owner;
};

const ASK =
  '<p>No more mails about your stocks and chats?</p><form method="post"><button>Stop these mails</button></form>';

const DONE = "<p>You get no more of these mails. To have them again, choose so in Tally, in Account under Notices.</p>";

/** Nothing in it comes from a request. */
const page = (c: Context<AppEnv>, body: string): Response => {
  // Otherwise the form's request would not say where it comes from, and be refused.
  c.header("Referrer-Policy", "same-origin");
  c.header(
    "Content-Security-Policy",
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">';
  return c.html(
    `<!doctype html><html lang="en"><head>${head}<title>Tally</title></head><body><main><h1>Tally</h1>${body}</main></body></html>`,
  );
};
