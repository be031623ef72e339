/**
 * Commands of just-bash that a durable workspace lacks. They are a tenth of it, and a deploy leaves them out (`cli/build/smaller-shell`).
 * Other commands can do the work of some: `sha256sum` tells files apart (`md5sum`, `sha1sum`), `grep -xF -f` compares lists (`comm`),
 * `$((…))` computes (`expr`), `cat -n` numbers lines (`nl`), `sed` breaks lines and turns tabs into blanks and back (`fold`, `expand`,
 * `unexpand`), `head` and `sed` cut a file into many (`split`), `awk` aligns and joins tables (`column`, `join`), `find` lists what a
 * `tree` draws. `alias`, `unalias`, `history` and `clear` are for somebody at a prompt, and a script has none. The shell has `help` and
 * `time` itself. `strings`, `file` and `od` look into binary files, of which a durable workspace has few. `gzip`, `gunzip` and `zcat` pack
 * and unpack, but there is neither a `tar` nor a network to pack for. Real shells lack `html-to-markdown` too, and `curl` needs a network.
 */
export const LEFT_OUT_COMMANDS = [
  "comm",
  "nl",
  "fold",
  "expand",
  "unexpand",
  "strings",
  "split",
  "column",
  "join",
  "tree",
  "alias",
  "unalias",
  "history",
  "clear",
  "time",
  "expr",
  "md5sum",
  "sha1sum",
  "file",
  "html-to-markdown",
  "help",
  "od",
  "gzip",
  "gunzip",
  "zcat",
  "curl",
] as const;
