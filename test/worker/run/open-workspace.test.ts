/** Who works in the directory that is served, and who in durable storage. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import type { Env } from "../../../src/env.ts";
import { findAgentHost, openWorkspace } from "../../../src/run/drive/open-workspace.ts";
import { servedDirOf, workspaceDirOf } from "../../../src/run/drive/served-workspace.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { listed, write } from "../../support/workspace/workspace-under-test.ts";

const ann = OwnerEmail.parse("ann@example.com");

const LOOPBACK = { WORKSPACE_URL: "http://127.0.0.1:1", WORKSPACE_TOKEN: "secret" };
const REMOTE = { WORKSPACE_URL: "https://files.example.com", WORKSPACE_TOKEN: "secret" };

type Variables = Pick<Env, "WORKSPACE_URL" | "WORKSPACE_TOKEN" | "WORKSPACE_OWNER">;

const placeOf = async (variables: Variables) => {
  const given = { ...env, AGENT_WORKSPACE_DIR: "/home/ann/project", ...variables };
  const isHost = (await openWorkspace(given, ann)) instanceof HostWorkspace;
  return [isHost ? "host" : "durable", workspaceDirOf(given, ann)];
};

describe("a workspace", () => {
  it.each<[string, Variables, [string, string]]>([
    ["is durable where none is served", {}, ["durable", "durable:/home/ann/project"]],
    [
      "is durable where none is served to an owner of no name",
      { WORKSPACE_OWNER: "" },
      ["durable", "durable:/home/ann/project"],
    ],
    ["is the directory that is served on loopback", LOOPBACK, ["host", "/home/ann/project"]],
    [
      "is durable where the token is missing",
      { ...LOOPBACK, WORKSPACE_TOKEN: "" },
      ["durable", "durable:/home/ann/project"],
    ],
    [
      "is the owner's served directory",
      { ...REMOTE, WORKSPACE_OWNER: " Ann@Example.com " },
      ["host", "/home/ann/project"],
    ],
    ["is durable for everybody but the owner", { ...REMOTE, WORKSPACE_OWNER: "bob@example.com" }, ["durable", "."]],
    [
      "is durable for everybody but the owner on loopback too",
      { ...LOOPBACK, WORKSPACE_OWNER: "bob@example.com" },
      ["durable", "."],
    ],
    [
      "is durable where one is served from elsewhere to nobody in particular",
      REMOTE,
      ["durable", "durable:/home/ann/project"],
    ],
  ])("%s", async (_, variables, place) => {
    expect(await placeOf(variables)).toEqual(place);
  });

  it.each<[string, Variables, boolean]>([
    ["nobody where none is served", {}, false],
    ["the owner", { ...REMOTE, WORKSPACE_OWNER: " Ann@Example.com " }, true],
    ["nobody but the owner", { ...REMOTE, WORKSPACE_OWNER: "bob@example.com" }, false],
    ["nobody but the owner on loopback too", { ...LOOPBACK, WORKSPACE_OWNER: "bob@example.com" }, false],
    ["nobody where one is served from elsewhere to nobody in particular", REMOTE, false],
  ])("has an agent with a subscription for %s", (_, variables, isServed) => {
    expect(findAgentHost(variables, ann) !== undefined).toBe(isServed);
  });

  it("that is served from elsewhere without a name is known by its host", () => {
    const served = { ...env, ...REMOTE, WORKSPACE_OWNER: ann };
    expect([workspaceDirOf(served, ann), servedDirOf(served, ann)]).toEqual(["files.example.com", "files.example.com"]);
    expect(workspaceDirOf({ ...env, ...LOOPBACK }, ann)).toBe(".");
  });

  it("in durable storage is the directory of the setting, as a path inside it", async () => {
    const owner = OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
    const set = { ...env, AGENT_WORKSPACE_DIR: "/home/ann/project" };
    await write(await openWorkspace(set, owner), "a.txt", "mine");
    expect(await listed(await openWorkspace({ ...env, AGENT_WORKSPACE_DIR: "." }, owner))).toEqual([
      "home/ann/project/a.txt",
    ]);
  });
});
