/** Chats that share runs are deleted at about the same time: whoever is last takes the runs along (api.md §2). */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { OwnerEmail, ThreadId } from "../../../src/contract/ids.ts";
import { deleteThread } from "../../../src/thread/delete-thread.ts";
import { say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });
const Forked = z.object({ threadId: z.string() });

/** A chat that has had two turns, with what branches it before the second. */
const twoTurns = async () => {
  const talk = await chat([say("One."), say("Two.")]);
  await talk.turns("First", "Second");
  await talk.handedOver();
  const { person, thread } = talk;
  const owner = OwnerEmail.parse(person.email);
  const { runs } = Runs.parse((await person.ask("GET", `${person.threadPath(thread)}/runs`)).body);
  const [shared, beforeRunId] = runs.map(({ runId }) => runId);
  const fork = async () =>
    Forked.parse((await person.ask("POST", `${person.threadPath(thread)}/fork`, { beforeRunId })).body).threadId;
  const remove = async (threadId: string) => (await person.ask("DELETE", person.threadPath(threadId))).status;
  /** Deletes a thread; `before` is called when its runs are released, and its row is still there. */
  const removeSlowly = (threadId: string, before: () => Promise<unknown>) => {
    const getByName = (name: string) => ({
      removeThread: async (...args: Parameters<ReturnType<typeof env.SEARCH.getByName>["removeThread"]>) => {
        await before();
        await env.SEARCH.getByName(name).removeThread(...args);
      },
    });
    const SEARCH = new Proxy(env.SEARCH, {
      get: (search, name) => (name === "getByName" ? getByName : Reflect.get(search, name)),
    });
    return deleteThread({ ...env, SEARCH }, owner, ThreadId.parse(threadId));
  };
  const left = async () => ({
    runs: await env.DB.prepare("SELECT count(*) AS n FROM runs WHERE owner_email = ?").bind(person.email).first("n"),
    marks: await env.DB.prepare("SELECT count(*) AS n FROM run_marks WHERE owner_email = ?")
      .bind(person.email)
      .first("n"),
    status: (await person.ask("GET", `/_framework/runs/${shared}`)).status,
    prompt: (await person.ask("GET", `/_framework/runs/${shared}/prompt`)).status,
  });
  return { owner, thread, fork, remove, removeSlowly, left };
};

const NOTHING = { runs: 0, marks: 0, status: 404, prompt: 404 };

it("a chat that is deleted while its branch is leaves no runs behind", async () => {
  const { thread, fork, remove, removeSlowly, left } = await twoTurns();
  const branch = await fork();
  await removeSlowly(branch, () => remove(thread));
  expect(await left()).toEqual(NOTHING);
});

it("neither does a branch that is deleted while the chat is", async () => {
  const { thread, fork, remove, removeSlowly, left } = await twoTurns();
  const branch = await fork();
  await removeSlowly(thread, () => remove(branch));
  expect(await left()).toEqual(NOTHING);
});

it("nor do the last two branches of a chat that is gone", async () => {
  const { thread, fork, remove, removeSlowly, left } = await twoTurns();
  const [one, other] = [await fork(), await fork()];
  await remove(thread);
  expect(await left()).toEqual({ runs: 1, marks: 2, status: 200, prompt: 200 });
  await removeSlowly(one, () => remove(other));
  expect(await left()).toEqual(NOTHING);
});

it("a deletion that was cut off between the runs' marks and the runs finds them when it is repeated", async () => {
  const { owner, thread, fork, remove, left } = await twoTurns();
  const branch = await fork();
  await remove(thread);
  const getByName = () => ({ purge: () => Promise.reject(new Error("Gone.")) });
  const RUNS = new Proxy(env.RUNS, {
    get: (runs, name) => (name === "getByName" ? getByName : Reflect.get(runs, name)),
  });
  await expect(deleteThread({ ...env, RUNS }, owner, ThreadId.parse(branch))).rejects.toThrow();
  expect(await left()).toEqual({ runs: 1, marks: 0, status: 200, prompt: 200 });
  expect(await remove(branch)).toBe(200);
  expect(await left()).toEqual(NOTHING);
});
