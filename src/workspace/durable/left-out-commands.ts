/**
 * Commands of just-bash that a durable workspace lacks: one that cuts a file into many, as `head` and `sed` can, two that turn blanks into
 * tabs and back, as `sed` can, one for media types, one that real shells lack too, one that needs a network. They are a tenth of it, and a
 * deploy leaves them out (`cli/build/smaller-shell`).
 */
export const LEFT_OUT_COMMANDS = ["split", "unexpand", "expand", "file", "html-to-markdown", "curl"] as const;
