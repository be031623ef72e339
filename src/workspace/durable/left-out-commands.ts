/**
 * Commands of just-bash that a durable workspace lacks. They are a tenth of it, and a deploy leaves them out (`cli/build/smaller-shell`).
 * Other commands can do the work of some: `sed` breaks lines and turns tabs into blanks and back (`fold`, `expand`, `unexpand`), `head` and
 * `sed` cut a file into many (`split`), `awk` aligns and joins tables (`column`, `join`). `alias`, `unalias`, `history` and `clear` are for
 * somebody at a prompt, and a script has none. The shell has `help` and `time` itself. `strings` and `file` look into binary files, of which
 * a durable workspace has few. `gzip`, `gunzip` and `zcat` pack and unpack, but there is neither a `tar` nor a network to pack for. Real
 * shells lack `html-to-markdown` too, and `curl` needs a network.
 */
export const LEFT_OUT_COMMANDS = [
  "fold",
  "expand",
  "unexpand",
  "strings",
  "split",
  "column",
  "join",
  "alias",
  "unalias",
  "history",
  "clear",
  "time",
  "file",
  "html-to-markdown",
  "help",
  "gzip",
  "gunzip",
  "zcat",
  "curl",
] as const;
