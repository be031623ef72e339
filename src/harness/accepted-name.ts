/** Names of tools as the API takes them back, in a request's calls too (API docs, "Messages"). */

const NOT_IN_A_NAME = /[^a-zA-Z0-9_-]/;
const EACH_NOT_IN_A_NAME = /[^a-zA-Z0-9_-]/g;
const MAX_NAME_LENGTH = 128;

/**
 * The name as it can be sent back. A model that makes up a tool makes up a name for it, such as `functions.read_file`; kept as
 * it is, it would make the API refuse the thread for good. What is changed never becomes the name of a tool there is.
 */
export const acceptedName = (name: string): string => {
  const isAccepted = name !== "" && name.length <= MAX_NAME_LENGTH && !NOT_IN_A_NAME.test(name);
  return isAccepted ? name : `unknown_${name.replaceAll(EACH_NOT_IN_A_NAME, "_")}`.slice(0, MAX_NAME_LENGTH);
};
