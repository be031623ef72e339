/** The options the SDK is run with: its own tools by name, no settings of the person's, and no secret that a command could read. */
import { type ChildProcess, spawn } from "node:child_process";
import { withoutOwnPackages } from "../../process/project.ts";
import { CREDENTIAL_NAMES, CREDENTIAL_PATHS, copyGlobs } from "../../workspace/guarded-path.ts";
import { type AgentStart, MARK_VARIABLE, type SdkCredential } from "./agent-start.ts";
import { BUILT_IN_TOOLS, type Gate } from "./gate.ts";
import type { HostedTools } from "./hosted-tools.ts";
import type { QueryOptions, SpawnOptions } from "./sdk-module.ts";

/** What else the SDK brings, by name. `tools` leaves them out; this holds where that does not. */
const SWITCHED_OFF = [
  ...["Agent", "Task", "TaskOutput", "TaskStop", "NotebookEdit", "WebFetch", "WebSearch", "Skill", "Workflow"],
  ...["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree", "TodoWrite", "SlashCommand"],
  ...["CronCreate", "CronDelete", "CronList", "Monitor", "KillShell", "BashOutput", "ListMcpResourcesTool"],
  ...["ReadMcpResourceTool", "RemoteTrigger", "SendMessage", "PowerShell"],
];

/** Guarded files for Glob and Grep, which find what no path names. The gate itself refuses a guarded path: this only narrows it. */
const GUARDED_GLOBS = [
  ...[...CREDENTIAL_NAMES, ...CREDENTIAL_PATHS],
  ...["*.env", ".dev.vars*", "*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json"],
  ...["service[-_]account*.json", "*[-_]service[-_]account*.json", "[sS]ervice[aA]ccount*.json"],
  ...["*[-_][sS]ervice[aA]ccount*.json", "firebaseServiceAccount*.json", "googleServiceAccount*.json"],
  ...["client_secret*.json", "*[-_]credentials.json", "*firebase[-_]admin*sdk*.json"],
  ...["rootkey.csv", "accessKeys.csv", "*_accessKeys.csv", "credentials.csv", "*_credentials.csv"],
  ...["*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx"],
  ...["kubeconfig", "*.kubeconfig", "kubeconfig.y*ml", "*[-_.]kubeconfig.y*ml", "kubeconfig.json"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"],
  ...["*.git/config", "*.git/config.worktree", "*.git/modules/**/config"],
];

/** The one `.env*` that is for everybody to read. */
const EXAMPLE = ".env.example";

/**
 * What may follow in a name instead of this letter or dot: everything around it but a slash, so that `.env copy` and `.env (1)` are found.
 * In ranges, since the SDK takes neither `[^a]` nor `[!a]` for "not a".
 */
const others = (letter: string): string => {
  const beside = (character: string, by: 1 | -1) => String.fromCharCode(character.charCodeAt(0) + by);
  const upper = letter.toUpperCase();
  const ascii =
    letter === "."
      ? "- -,0-~"
      : ` -.0-${beside(upper, -1)}${beside(upper, 1)}-${beside(letter, -1)}${beside(letter, 1)}-~`;
  return `[${ascii}\u0080-\uffff]`;
};

/** All others, by the character in which they differ from it: no rule takes another one back. */
const ENV_GLOBS = [
  ...[...EXAMPLE.slice(".env".length)].flatMap((letter, index) => {
    const beginning = EXAMPLE.slice(0, ".env".length + index);
    return [beginning, `${beginning}${others(letter)}*`];
  }),
  ...[`${EXAMPLE}?*`, ...copyGlobs(".env*")],
];

/** Longest time for a hook, in seconds: it waits for the Worker, which ends the turn when it cannot answer. */
const HOOK_LIMIT_S = 3_600;

/** How often a request that failed is made again: four tries in all, as in our own loop (api.md §3). The SDK's own number is 10. */
const MAX_RETRIES = 3;

/** The descriptor by which the credential reaches the SDK's process. It is read once and is not passed on to commands. */
const CREDENTIAL_DESCRIPTOR = 3;

/** The options of one turn. `guarded`: further guarded directories, relative to the workspace. */
export const queryOptions = (
  { setup, dir, home, temporaryDir, mark, turn }: AgentStart,
  { gate, tools, guarded }: { readonly gate: Gate; readonly tools: HostedTools; readonly guarded: readonly string[] },
): QueryOptions => ({
  cwd: dir,
  env: {
    ...setup.network,
    PATH: withoutOwnPackages(process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"),
    LANG: process.env.LANG ?? "C.UTF-8",
    TERM: process.env.TERM ?? "dumb",
    HOME: home,
    // By default a directory of all users, in which outputs outlive the chat.
    CLAUDE_CODE_TMPDIR: temporaryDir,
    [MARK_VARIABLE]: mark,
    ...credentialVariables(setup.credential),
    ...(setup.baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: setup.baseUrl }),
    // Only what a turn needs goes over the network, and nothing but the prompt decides what the model is told.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    // `git status`, of which it would tell the model, runs programs that the repository's own configuration names.
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: String(MAX_RETRIES),
    // An answer that broke off is never asked for as a whole, without a stream: the Worker would not see it (decision 0097).
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    // What a model refuses is not sent to another one, which nobody chose and whose price nobody saw, and not to the same one again.
    CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    // Every command begins in the root: one that was asked after a `cd` would run elsewhere once it is resumed.
    CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: "1",
  },
  ...beginning(turn),
  ...(turn.model === undefined ? {} : { model: turn.model }),
  ...(turn.effort === undefined ? {} : { effort: turn.effort }),
  ...(turn.budgetUsd === undefined ? {} : { maxBudgetUsd: turn.budgetUsd }),
  ...(turn.maxTurns === undefined ? {} : { maxTurns: turn.maxTurns }),
  systemPrompt: {
    type: "preset",
    preset: "claude_code",
    ...(turn.instructions === undefined ? {} : { append: turn.instructions }),
  },
  tools: [...BUILT_IN_TOOLS],
  disallowedTools: SWITCHED_OFF,
  allowedTools: [],
  permissionMode: "default",
  // `permissionPrompts: "none"` would deny a deferred call that was answered, without asking the gate.
  canUseTool: (tool, input, { toolUseID }) => gate.onPrompt(tool, input, toolUseID),
  settingSources: [],
  strictMcpConfig: true,
  settings: {
    includeCoAuthoredBy: false,
    switchModelsOnFlag: false,
    permissions: {
      ask: ["Edit", "Write", "Bash"],
      // Behind the gate, which refuses such paths by their text.
      ...{ blockReadsOutsideWorkingDirectories: true, blockWritesOutsideWorkingDirectories: true },
      deny: [...[...ENV_GLOBS, ...GUARDED_GLOBS.flatMap(withCopies)].map((glob) => `**/${glob}`), ...guarded].flatMap(
        denyRules,
      ),
    },
  },
  // A prompt is text: it names no file to read and no command of the SDK's own.
  verbatimPrompts: true,
  includePartialMessages: true,
  mcpServers: tools.server(),
  hooks: {
    PreToolUse: [{ hooks: [gate.beforeCall], timeout: HOOK_LIMIT_S }],
    PostToolUse: [{ hooks: [tools.afterCall], timeout: HOOK_LIMIT_S }],
  },
  spawnClaudeCodeProcess: (options) => startBinary(options, setup.credential),
});

const withCopies = (glob: string): string[] => [glob, ...copyGlobs(glob)];

const denyRules = (path: string): string[] => [`Read(${path})`, `Read(${path}/**)`];

const beginning = ({ begin, sessionId }: AgentStart["turn"]): object => {
  if (begin.type === "new") return { sessionId };
  return begin.type === "behind" ? { resume: sessionId, resumeSessionAt: begin.message } : { resume: sessionId };
};

const credentialVariables = (credential: SdkCredential): Record<string, string> => {
  switch (credential.type) {
    case "oauth_token":
      return { CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: String(CREDENTIAL_DESCRIPTOR) };
    case "api_key":
      return { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: String(CREDENTIAL_DESCRIPTOR) };
    case "login":
      return { CLAUDE_SECURESTORAGE_CONFIG_DIR: credential.dir };
  }
};

/** In the group of this process, so that both end together. */
const startBinary = ({ command, args, cwd, env }: SpawnOptions, credential: SdkCredential): ChildProcess => {
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit", "pipe"] });
  const secret = child.stdio[CREDENTIAL_DESCRIPTOR];
  if (secret !== null && secret !== undefined && "end" in secret) {
    // The binary may end before it reads; its exit is noticed anyway.
    secret.on("error", () => undefined);
    secret.end(credential.type === "login" ? "" : credential.secret);
  }
  return child;
};
