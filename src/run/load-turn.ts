/** What a turn goes on from: the thread's conversation, and for a new turn what its context is made of. */
import { AppError } from "../contract/app-error.ts";
import type { TranscriptEvent } from "../contract/transcript.ts";
import type { Env } from "../env.ts";
import { NO_RESUME_STATE, type TurnState } from "../harness/conversation.ts";
import { openTurn, stateWithoutContext } from "../harness/open-turn.ts";
import { readInstructions } from "../harness/read-instructions.ts";
import type { Binding } from "../harness/rebind.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { findScreen } from "./find-screen.ts";
import type { Ledger } from "./ledger.ts";
import { type LoadedConversation, loadConversation } from "./load-conversation.ts";

/** A turn, ready to begin or to go on. */
export type LoadedTurn = LoadedConversation & {
  readonly turnState: TurnState;
  /** Events that tell what the model is given; none for a turn that goes on. */
  readonly context: readonly TranscriptEvent[];
};

/** Of a run that only has to close what is open: it asks nobody anything. */
export const NOTHING_LOADED: LoadedTurn = {
  resumeState: NO_RESUME_STATE,
  notices: [],
  turnState: stateWithoutContext(NO_RESUME_STATE),
  context: [],
};

/** The turn; `refused` when another run has the thread, `unreachable` when the session does not answer. */
export const loadTurn = async (
  env: Env,
  ledger: Ledger,
  grant: number,
  world: { readonly binding: Binding; readonly workspace: () => Promise<Workspace>; readonly nowMs: number },
): Promise<LoadedTurn | "refused" | "unreachable"> => {
  const { spec, state } = ledger.record();
  const isNew = state.status === "queued";
  const loader = { sessionId: spec.sessionId, holder: spec.runId, grant };
  try {
    const [conversation, screen, instructions] = await Promise.all([
      loadConversation(env, loader),
      isNew ? findScreen(env, spec) : undefined,
      isNew ? readInstructions(world.workspace) : ("unknown" as const),
    ]);
    if (conversation === undefined) return "refused";
    const { resumeState } = conversation;
    if (!isNew) {
      return { ...conversation, turnState: ledger.turnState.find() ?? stateWithoutContext(resumeState), context: [] };
    }
    const { workspaceDir, previousWorkspaceDir } = spec;
    const opened = openTurn({ resumeState, ...world, screen, workspaceDir, previousWorkspaceDir, instructions });
    return { ...conversation, turnState: opened.state, context: opened.events };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Unreachable: the run stays as it is, and the alarm tries again.
    const { runId } = spec;
    console.warn(JSON.stringify({ level: "warn", message: "Session unreachable.", runId, error: String(error) }));
    return "unreachable";
  }
};
