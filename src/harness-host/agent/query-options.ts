/** The options the SDK is run with: its own tools by name, no settings of the person's, and no secret that a command could read. */
import { type ChildProcess, spawn } from "node:child_process";
import { withoutOwnPackages } from "../../process/project.ts";
import { CREDENTIAL_NAMES, CREDENTIAL_PATHS, copyGlobs } from "../../workspace/guarded-path.ts";
import { type AgentStart, MARK_VARIABLE, type SdkCredential } from "./agent-start.ts";
import { BUILT_IN_TOOLS, type Gate } from "./gate.ts";
import type { HostedTools } from "./hosted-tools.ts";
import type { QueryOptions, SpawnOptions } from "./sdk-module.ts";

/** The other tools that the SDK brings, by name. The option `tools` leaves them out already; this list applies where it does not. */
const SWITCHED_OFF = [
  ...["Agent", "Task", "TaskOutput", "TaskStop", "NotebookEdit", "WebFetch", "WebSearch", "Skill", "Workflow"],
  ...["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree", "TodoWrite", "SlashCommand"],
  ...["CronCreate", "CronDelete", "CronList", "Monitor", "KillShell", "BashOutput", "ListMcpResourcesTool"],
  ...["ReadMcpResourceTool", "RemoteTrigger", "SendMessage", "PowerShell"],
];

/** Keeps guarded files from Glob and Grep, which find files that no path names. A guarded path is refused by the gate itself. */
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

/** The one `.env*` file that everybody may read. */
const EXAMPLE = ".env.example";

/**
 * The glob for whatever a name may have instead of this letter or dot: any other character but a slash, so that `.env copy` and
 * `.env (1)` are found. It consists of ranges, since the SDK takes neither `[^a]` nor `[!a]` for "not a".
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

/** All other `.env*` names, by the character in which they differ from the example's: no rule can make an exception to another. */
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
    // The default is a directory that all users share, in which outputs outlive the chat.
    CLAUDE_CODE_TMPDIR: temporaryDir,
    [MARK_VARIABLE]: mark,
    ...credentialVariables(setup.credential),
    ...(setup.baseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: setup.baseUrl }),
    // Only what a turn needs goes over the network, and nothing but the prompt decides what the model is told.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    // The SDK would run `git status` to tell the model about it, and that runs programs that the repository's own configuration names.
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: String(MAX_RETRIES),
    // Otherwise an answer that broke off would be requested again as a whole, without a stream, unseen by the Worker (decision 0097).
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    // What a model refuses is sent neither to another model, which nobody chose and whose price nobody saw, nor to the same one again.
    CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    // Every command begins in the root. Otherwise a command that was asked about after a `cd` would run elsewhere once it is resumed.
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
      // In addition to the gate, which refuses such paths itself.
      ...{ blockReadsOutsideWorkingDirectories: true, blockWritesOutsideWorkingDirectories: true },
      deny: [...[...ENV_GLOBS, ...GUARDED_GLOBS.flatMap(withCopies)].map((glob) => `**/${glob}`), ...guarded].flatMap(
        denyRules,
      ),
    },
  },
  // A prompt is only text: nothing in it names a file to read or a command of the SDK's own.
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

/** Starts the SDK's binary in the group of this process, so that both end together. */
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
