/** The agent's three views, as one file to fetch: they share nearly all of their code. */
export { AgentPanel } from "./agent-panel.tsx";
export { AgentSheet } from "./agent-sheet.tsx";
export { ChatScreen } from "./chat-screen.tsx";
