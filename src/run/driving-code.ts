/** What a run needs only while it drives, or somebody on its behalf: `run/load-driving` loads it. Nothing may import this file statically. */
export { chooseModel, foreignModel } from "../model/choose-model.ts";
export { RunUndo } from "../undo/run-undo.ts";
export { askForTitle } from "./drive/ask-for-title.ts";
export { loadConversation } from "./drive/load-conversation.ts";
export { beginRun, holdSession, loadTurn, nothingLoaded, recoverRun } from "./drive/open-attempt.ts";
export { findServedHost, openWorkspace } from "./drive/open-workspace.ts";
export { turnToolbox, turnWorld } from "./drive/turn-world.ts";
