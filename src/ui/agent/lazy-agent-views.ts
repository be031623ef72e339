/** The agent's views, whose code loads after the first paint. */
import { lazy } from "../parts/lazy.ts";

const fetchViews = () => import("./agent-views.ts");

export const AgentPanel = lazy(async () => (await fetchViews()).AgentPanel);
export const AgentSheet = lazy(async () => (await fetchViews()).AgentSheet);
export const ChatScreen = lazy(async () => (await fetchViews()).ChatScreen);
