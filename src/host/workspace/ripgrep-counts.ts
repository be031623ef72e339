/** Reads what `rg --count --include-zero --null` says: `./path`, NUL, a number and a line's end for each file it searched. */

/** Of each file in the output, in no order, its path from the root and whether a line of it matches. */
export function* readCounts(output: Uint8Array): Generator<{ readonly path: string; readonly isMatch: boolean }> {
  // Bytes of names that are no UTF-8 read as U+FFFD, so that no such path is one of the walk.
  const text = new TextDecoder().decode(output);
  // A name may hold a line's end itself, a number does not.
  for (let start = 0, nul = text.indexOf("\0"); nul >= 0; nul = text.indexOf("\0", start)) {
    const path = text.slice(start + PREFIX.length, nul);
    yield { path, isMatch: text[nul + 1] !== "0" };
    start = text.indexOf("\n", nul) + 1;
  }
}

const PREFIX = "./";
