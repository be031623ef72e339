/** The styles of the agent's views, which come with their code. Markdown, which comes later, brings its own. */
import { adoptStyles } from "../parts/late-styles.ts";
import composer from "./conversation/composer.css";
import conversation from "./conversation/conversation.css";
import run from "./conversation/run/run.css";
import tools from "./conversation/tools/tools.css";
import plan from "./guidance/plan.css";
import panel from "./panel/panel.css";
import threads from "./panel/threads.css";
import foreignText from "./permission/foreign-text.css";
import permission from "./permission/permission.css";

/** Call it where a view is rendered. */
export const adoptAgentStyles = (): void =>
  adoptStyles(panel, threads, conversation, composer, run, tools, permission, plan, foreignText);
