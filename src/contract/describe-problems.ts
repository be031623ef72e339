/** What is wrong with an input, in words that name the field and the remedy (CONTRACT §5). */
import type { z } from "zod";
import { cutText } from "./cut-text.ts";

/** Problems told at once. More would be a wall of text to a person and to the model alike. */
const MAX_PROBLEMS = 5;

/** Longest part of an unknown key that a message repeats, in UTF-16 units. */
const MAX_KEY_LENGTH = 64;

/** Says what is wrong: `<field>: <remedy>`, at most five, each once. `whole` names what has the fields. */
export const describeProblems = (issues: readonly z.core.$ZodIssue[], whole: "body" | "item"): string => {
  const problems = issues.flatMap(spreadKeys).map(({ path, remedy }) => `${fieldName(path) || whole}: ${remedy}`);
  return [...new Set(problems)].slice(0, MAX_PROBLEMS).join("; ");
};

type Problem = { readonly path: readonly PropertyKey[]; readonly remedy: string };

/** All unknown keys of an object are one issue; each is a problem of its own. */
const spreadKeys = (issue: z.core.$ZodIssue): Problem[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...issue.path, cutText(key.toWellFormed(), MAX_KEY_LENGTH)],
        remedy: "unknown field, leave it out",
      }))
    : [{ path: issue.path, remedy: issue.message }];

/** A field as people know it: `quantity` for `set.quantity`, `tags` for its third one. */
const fieldName = (path: readonly PropertyKey[]): string => {
  const names = path.filter((part) => typeof part === "string");
  return (names.length > 1 && names[0] === "set" ? names.slice(1) : names).join(".");
};
