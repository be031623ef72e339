/** Code with colours, as text nodes: nothing of it is ever taken for markup. */
import type { ComponentChildren } from "preact";
import { codeParts } from "./code-tokens.ts";

/** `language` as in `codeParts`. Not a component: a diff has thousands of lines. */
export const colouredCode = (code: string, language: string | undefined): ComponentChildren =>
  codeParts(code, language).map(({ kind, text }, index) =>
    kind === "plain" ? (
      text
    ) : (
      <span key={index} class={`code-${kind}`}>
        {text}
      </span>
    ),
  );

const LINE_KINDS: Readonly<Record<string, string>> = { "+": "add", "-": "remove", "@": "hunk" };

/** A patch in a message. The first character of each line says what the line is, and the colour only repeats that. */
export const colouredPatch = (patch: string): ComponentChildren =>
  // The line ends stay, because the button beside it copies the text of the elements.
  patch.split(/(?<=\n)/).map((line, index) => (
    <span key={index} class={`patch-line ${LINE_KINDS[line.charAt(0)] ?? ""}`}>
      {line}
    </span>
  ));
