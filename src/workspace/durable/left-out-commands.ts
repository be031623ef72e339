/**
 * Commands of just-bash that a durable workspace lacks: one that numbers lines, as `cat -n` can, three that break lines and turn tabs into
 * blanks and back, as `sed` can, one that cuts a file into many, as `head` and `sed` can, two that align and join tables, as `awk` can,
 * three that look into binary files, of which a durable workspace has few, three that pack and unpack, where there is neither a `tar` nor
 * a network to pack for, one that real shells lack too, one that needs a network. They are a tenth of it, and a deploy leaves them out
 * (`cli/build/smaller-shell`).
 */
export const LEFT_OUT_COMMANDS = [
  "nl",
  "fold",
  "expand",
  "unexpand",
  "strings",
  "split",
  "column",
  "join",
  "file",
  "html-to-markdown",
  "od",
  "gzip",
  "gunzip",
  "zcat",
  "curl",
] as const;
