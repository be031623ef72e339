/** What is played with the real SDK: to record it, and to see that it is still so. */
import { join } from "node:path";
import { callTools, message, say, thought } from "../support/model-script.ts";
import { allows, asks, type Scenario } from "./scenario.ts";
import { TROUBLES } from "./troubles.ts";

const WHERE = { question: "Which exchange?", options: [{ label: "Nasdaq" }, { label: "Xetra" }] };

/** All of them, by name. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "two-turns",
    about: "A first turn that thinks and speaks, and a second one in the same session.",
    replies: () => [
      message([thought("A greeting."), { type: "text", text: "Hello there.", deltas: 3 }]),
      say("You said hello."),
    ],
    turns: [
      { begin: "new", prompt: "Hello" },
      { begin: "message", prompt: "What did I say?" },
    ],
  },
  {
    name: "read-edits-stock",
    about:
      "One message calls a read, a stock read, an edit, a write and a stock write. The edit is deferred and later allowed; the write is called again, deferred and rejected.",
    replies: (dir) => [
      callTools(
        [
          { id: "toolu_read", name: "Read", input: { file_path: join(dir, "notes.txt") } },
          { id: "toolu_list", name: "mcp__tally__list-stocks", input: { q: "A" } },
          {
            id: "toolu_edit",
            name: "Edit",
            input: { file_path: join(dir, "notes.txt"), old_string: "one", new_string: "two" },
          },
          { id: "toolu_write", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } },
          { id: "toolu_add", name: "mcp__tally__add-stock", input: { symbol: "AAPL" } },
        ],
        { text: "I do all of it." },
      ),
      callTools([{ id: "toolu_write2", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      say("Then not."),
    ],
    turns: [
      { begin: "new", prompt: "Do it", answer: asks },
      {
        begin: "deferred",
        answer: (question) => (question.toolUseId === "toolu_edit" ? { type: "allow" } : { type: "ask" }),
      },
      { begin: "deferred", answer: () => ({ type: "deny", message: "The person rejected this: not that file." }) },
    ],
  },
  {
    name: "commands",
    about: "A command that a rule covers, one that fails, and one that is asked and then allowed.",
    replies: () => [
      callTools([
        {
          id: "toolu_pwd",
          name: "Bash",
          input: { command: "mkdir -p sub && cd sub; echo out; echo err >&2", description: "Says both" },
        },
      ]),
      callTools([{ id: "toolu_fail", name: "Bash", input: { command: "exit 3", description: "Fails" } }]),
      callTools([{ id: "toolu_ask", name: "Bash", input: { command: "pwd; echo asked", description: "Asks" } }]),
      say("All ran."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Run them",
        answer: (question) => (question.toolUseId === "toolu_ask" ? { type: "ask" } : { type: "allow" }),
      },
      { begin: "deferred", answer: allows },
    ],
  },
  {
    name: "stock-asked",
    about:
      "A stock write waits for a person: the turn ends after its answer, and goes on with the true one as a message.",
    replies: () => [
      callTools([{ id: "toolu_add", name: "mcp__tally__add-stock", input: { symbol: "AAPL" } }]),
      say("Added."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Add AAPL",
        answer: () => ({
          type: "tool",
          output: "The person is asked; the answer comes as a message.",
          isError: false,
          ends: true,
        }),
      },
      { begin: "message", prompt: 'The answer of add-stock (toolu_add): {"stock":{"symbol":"AAPL"}}' },
    ],
  },
  {
    name: "asks-user",
    about:
      "To-dos are shown while the turn runs; questions to the person end it, and it goes on with the answers as a message.",
    replies: () => [
      callTools([
        { id: "toolu_todos", name: "mcp__tally__set_todos", input: { items: [{ text: "Ask", state: "doing" }] } },
        { id: "toolu_ask", name: "mcp__tally__ask_user", input: { questions: [WHERE] } },
      ]),
      say("Nasdaq it is."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Add what I like",
        answer: ({ toolUseId }) => ({
          ...{ type: "tool", output: "The person is asked.", isError: false },
          ...(toolUseId === "toolu_ask" ? { ends: true } : {}),
        }),
      },
      { begin: "message", prompt: "The answer of ask_user (toolu_ask): Nasdaq" },
    ],
  },
  {
    name: "plans",
    about:
      "A write is refused in plan mode; the plan ends the turn; accepted, the write is made again, deferred and allowed.",
    replies: (dir) => [
      callTools([{ id: "toolu_early", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      callTools([{ id: "toolu_plan", name: "mcp__tally__propose_plan", input: { markdown: "1. Write new.txt" } }]),
      callTools([{ id: "toolu_write", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      say("Written."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Plan it",
        answer: ({ type }) =>
          type === "tool"
            ? { type, output: "The person is asked.", isError: false, ends: true }
            : { type: "deny", message: "Refused: this turn is in plan mode." },
      },
      { begin: "message", prompt: "The person accepted the plan.", answer: () => ({ type: "ask" }) },
      { begin: "deferred", answer: allows },
    ],
  },
  {
    name: "used-id",
    about: "A read and a command in one message have the same id: the read runs, the command is denied unasked.",
    replies: (dir) => [
      callTools([
        { id: "toolu_used", name: "Read", input: { file_path: join(dir, "notes.txt") } },
        { id: "toolu_used", name: "Bash", input: { command: "touch pwned", description: "Touches" } },
      ]),
      say("Done."),
    ],
    turns: [{ begin: "new", prompt: "Read it", answer: allows }],
  },
  ...TROUBLES,
];
