/** The harness's calls, below `harness/` of the workspace server. */
import type { z } from "zod";
import {
  type HarnessAnswer,
  HarnessCall,
  MAX_SESSION_PIECE_BYTES,
  SESSION_SIZE_HEADER,
  type TurnLine,
} from "../harness/agent-sdk/host-wire.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { type HarnessCalls, NO_HARNESS } from "../workspace-server/answer-call.ts";
import {
  ALIVE_EVERY_MS,
  type Call,
  checked,
  input,
  readBody,
  sendJson,
  whileWaiting,
} from "../workspace-server/call-io.ts";
import type { SdkSetup } from "./agent/agent-start.ts";
import { type HarnessHost, type HostPlace, openHarnessHost } from "./harness-host.ts";
import { removeDir } from "./remove-dir.ts";
import { SessionFiles, sdkHomeIn, temporaryDirsIn } from "./session-files.ts";

/** The calls of a start with the SDK, or without it. Run `endLeftTurns` first. */
export const openHarnessCalls = async (sdk: SdkSetup | undefined, place: HostPlace): Promise<HarnessCalls> => {
  removeDir(temporaryDirsIn(place.stateDir));
  return sdk === undefined ? leftSessionCalls(place) : harnessCalls(await openHarnessHost(sdk, place));
};

/** A start without a harness deletes what an earlier start with one has kept, since chats are still deleted. */
const leftSessionCalls = ({ dir, stateDir }: HostPlace): HarnessCalls => ({
  answer: async (name, _, call) => {
    if (name !== "delete-sessions") throw new WorkspaceError("invalid", NO_HARNESS);
    const { sessionIds } = await input(call, HarnessCall["delete-sessions"]);
    const sessions = new SessionFiles(sdkHomeIn(stateDir), dir);
    for (const sessionId of sessionIds) sessions.delete(sessionId);
    sendJson(call, {});
  },
  close: async () => undefined,
});

/** The calls of one host. Closing them closes the host. */
export const harnessCalls = (host: HarnessHost, aliveEveryMs = ALIVE_EVERY_MS): HarnessCalls => ({
  answer: async (name, url, call) => {
    switch (name) {
      case "hello": {
        const hello: z.infer<typeof HarnessAnswer.hello> = { harness: "agent-sdk", sdkVersion: host.sdkVersion };
        return sendJson(call, hello);
      }
      case "turn":
        return sendTurn(call, host, aliveEveryMs);
      case "result": {
        const { turnId, questionId, answer } = await input(call, HarnessCall.result);
        host.answer(turnId, questionId, answer);
        return sendJson(call, {});
      }
      case "stop":
        await host.stop((await input(call, HarnessCall.stop)).turnId);
        return sendJson(call, {});
      case "read-session": {
        const { sessionId, offset } = await input(call, HarnessCall["read-session"]);
        const { bytes, size } = await host.sessions.read(sessionId, offset, MAX_SESSION_PIECE_BYTES);
        const headers = { "content-type": "application/octet-stream", [SESSION_SIZE_HEADER]: String(size) };
        return void call.response.writeHead(200, headers).end(bytes);
      }
      case "restore-session": {
        const query = checked(HarnessCall["restore-session"], Object.fromEntries(url.searchParams));
        const bytes = await readBody(call.request, MAX_SESSION_PIECE_BYTES);
        await host.sessions.restore(query.sessionId, query.offset, bytes);
        return sendJson(call, {});
      }
      case "delete-sessions":
        await host.deleteSessions((await input(call, HarnessCall["delete-sessions"])).sessionIds);
        return sendJson(call, {});
      default:
        throw new WorkspaceError("invalid", "There is no such call.");
    }
  },
  close: () => host.close(),
});

/** The response begins with the first line, so that a refusal can still have its own status. */
const sendTurn = async (call: Call, host: HarnessHost, aliveEveryMs: number): Promise<void> => {
  const { response, left } = call;
  const turn = await input(call, HarnessCall.turn);
  const send = (line: TurnLine): void => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
    response.write(`${JSON.stringify(line)}\n`);
  };
  const sayAlive = () => response.headersSent && !left.aborted && send({ type: "alive" });
  await whileWaiting(host.runTurn(turn, send, left), aliveEveryMs, sayAlive);
  response.end();
};
