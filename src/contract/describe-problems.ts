/** Describes what is wrong with an input, naming each field and how to correct it (api.md §5). */
import type { z } from "zod";
import { cutText } from "./plain-text.ts";

/** Problems reported at once. More would be a wall of text, to people and to the model alike. */
const MAX_PROBLEMS = 5;

/** How much of an unknown key a message repeats, in UTF-16 units. */
const MAX_KEY_LENGTH = 64;

/** The problems as `<field>: <remedy>`, at most five, each once. `whole` names the thing that has the fields. */
export const describeProblems = (issues: readonly z.core.$ZodIssue[], whole: "body" | "item"): string => {
  const problems = issues.flatMap(spreadKeys).map(({ path, remedy }) => `${fieldName(path) || whole}: ${remedy}`);
  return [...new Set(problems)].slice(0, MAX_PROBLEMS).join("; ");
};

type Problem = { readonly path: readonly PropertyKey[]; readonly remedy: string };

/** All unknown keys of an object are one zod issue; each becomes a separate problem. */
const spreadKeys = (issue: z.core.$ZodIssue): Problem[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...issue.path, cutText(key.toWellFormed(), MAX_KEY_LENGTH)],
        remedy: "unknown field, leave it out",
      }))
    : [{ path: issue.path, remedy: isNoObject(issue) ? noObject(issue) : issue.message }];

/** Said of a whole body, it is a sentence of its own (api.md §1). */
const noObject = ({ path }: z.core.$ZodIssue): string => `send a JSON object${path.length === 0 ? "." : ""}`;

/** Whether a value should have been an object, and its schema has no remedy of its own for that. */
const isNoObject = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && issue.expected === "object" && issue.message.startsWith("Invalid input");

/** A field as people know it: `quantity` for `set.quantity`, `tags` for the third tag. */
const fieldName = (path: readonly PropertyKey[]): string => {
  const names = path.filter((part) => typeof part === "string");
  return (names.length > 1 && names[0] === "set" ? names.slice(1) : names).join(".");
};
