/** A harness host behind the real workspace server, and a client that speaks its protocol as the Worker does. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HARNESS_PATH, type QuestionAnswer, TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import type { SdkSetup } from "../../../src/harness-host/agent/agent-start.ts";
import { harnessCalls } from "../../../src/harness-host/harness-calls.ts";
import { openHarnessHost } from "../../../src/harness-host/harness-host.ts";
import { startWorkspaceServer } from "../../../src/workspace-server/workspace-server.ts";
import { hostHeaders } from "../host-workspace.ts";
import { nodeFetch } from "../node-fetch.ts";

type Question = Extract<TurnLine, { type: "permission" | "tool" }>;

/** Answers a question; undefined leaves it open. */
export type Answerer = (question: Question) => QuestionAnswer | undefined;

/** A host that serves `dir`. */
export type HarnessUnderTest = {
  readonly dir: string;
  readonly stateDir: string;
  readonly url: string;
  readonly token: string;
  /** One call with its JSON. */
  call(name: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A turn from its start to its end: all lines. `onLine` sees each as it comes. */
  turn(turn: object, answer?: Answerer, onLine?: (line: TurnLine) => void, signal?: AbortSignal): Promise<TurnLine[]>;
  /** Puts a piece of a session's file back. */
  restore(sessionId: string, offset: number, text: string): Promise<Response>;
  close(): Promise<void>;
};

/** Starts one with an SDK that is this module, such as one that only repeats what it is asked. */
export const openHarnessWith = async (sdk: string): Promise<HarnessUnderTest> => {
  const sdkDir = await mkdtemp(join(tmpdir(), "tally-sdk-"));
  const entry = join(sdkDir, "sdk.mjs");
  await writeFile(entry, sdk);
  const setup = { sdk: { version: "0.0.1", entry }, credential: { type: "api_key", secret: "none" } } as const;
  const host = await openHarness(setup);
  const close = async (): Promise<void> => {
    await host.close();
    await rm(sdkDir, { recursive: true, force: true });
  };
  return { ...host, close };
};

/** Starts one with the SDK of `setup`. `stateDir` goes on with an earlier one's. */
export const openHarness = async (
  setup: SdkSetup,
  earlier?: { readonly parent: string },
): Promise<HarnessUnderTest> => {
  const parent = earlier?.parent ?? (await realpath(await mkdtemp(join(tmpdir(), "tally-harness-"))));
  const [dir, stateDir] = [join(parent, "root"), join(parent, "state")];
  await mkdir(dir, { recursive: true });
  await mkdir(stateDir, { recursive: true });
  const harness = harnessCalls(await openHarnessHost(setup, { dir, stateDir }));
  const server = await startWorkspaceServer(dir, stateDir, { harness });
  const post = (name: string, body: string, signal?: AbortSignal, headers: Readonly<Record<string, string>> = {}) =>
    nodeFetch(`${server.url}/${HARNESS_PATH}${name}`, {
      method: "POST",
      headers: { ...hostHeaders(server.token), ...headers },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
  const call: HarnessUnderTest["call"] = (name, body, headers) => post(name, JSON.stringify(body), undefined, headers);
  return {
    dir,
    stateDir,
    url: server.url,
    token: server.token,
    call,
    turn: async (turn, answer = () => undefined, onLine = () => undefined, signal) => {
      const response = await post("turn", JSON.stringify(turn), signal);
      if (response.status !== 200) throw new Error(await response.text());
      const lines: TurnLine[] = [];
      for await (const line of linesOf(response)) {
        if (line.type === "alive") continue;
        lines.push(line);
        onLine(line);
        const given = line.type === "permission" || line.type === "tool" ? answer(line) : undefined;
        if (given === undefined || !("questionId" in line)) continue;
        const { turnId } = turn as { turnId: string };
        await call("result", { turnId, questionId: line.questionId, answer: given });
      }
      return lines;
    },
    restore: (sessionId, offset, text) => post(`restore-session?sessionId=${sessionId}&offset=${offset}`, text),
    close: async () => {
      await server.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
};

async function* linesOf(response: Response): AsyncGenerator<TurnLine> {
  const decoder = new TextDecoder();
  let rest = "";
  if (response.body === null) return;
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield TurnLine.parse(JSON.parse(line));
  }
}
