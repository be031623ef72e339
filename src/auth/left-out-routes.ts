/**
 * Replaces routes of better-auth that this app does not open, in the deployed Worker (wrangler.toml, `[alias]`): `http/routes` forwards a
 * fixed list of paths and none of these is on it. An endpoint without a path is in no router, so a request could not reach one either.
 */

/** @throws always: the route is not open, and the code that would answer is left out. */
const leftOut = (): Promise<never> =>
  Promise.reject(new Error("This route of better-auth is left out of the deployed Worker."));

const leftOutRoute = () => leftOut;

/** Accounts at other sites. */
export const accountInfo = leftOut;
export const getAccessToken = leftOut;
export const linkSocialAccount = leftOut;
export const listUserAccounts = leftOut;
export const refreshToken = leftOut;
export const unlinkAccount = leftOut;
export const callbackOAuth = leftOut;
export const signInSocial = leftOutRoute;

/** Passwords, and mails with links: people sign in by a code. */
export const signInEmail = leftOutRoute;
export const signUpEmail = leftOutRoute;
export const requestPasswordReset = leftOut;
export const requestPasswordResetCallback = leftOut;
export const resetPassword = leftOut;
export const verifyPassword = leftOut;
export const changePassword = leftOut;
export const setPassword = leftOut;
export const createEmailVerificationToken = leftOut;
export const sendVerificationEmail = leftOut;
export const sendVerificationEmailFn = leftOut;
export const verifyEmail = leftOut;

/** Changes of a person: an account is deleted by a route of ours. */
export const changeEmail = leftOut;
export const updateUser = leftOutRoute;
export const deleteUser = leftOut;
export const deleteUserCallback = leftOut;

/** The page of better-auth for errors. */
export const error = leftOut;

/** Teams, and roles that an organization defines: both are options that are off. */
export const addTeamMember = leftOutRoute;
export const createTeam = leftOutRoute;
export const listOrganizationTeams = leftOutRoute;
export const listTeamMembers = leftOutRoute;
export const listUserTeams = leftOutRoute;
export const removeTeam = leftOutRoute;
export const removeTeamMember = leftOutRoute;
export const setActiveTeam = leftOutRoute;
export const updateTeam = leftOutRoute;
export const createOrgRole = leftOutRoute;
export const deleteOrgRole = leftOutRoute;
export const getOrgRole = leftOutRoute;
export const listOrgRoles = leftOutRoute;
export const updateOrgRole = leftOutRoute;

/** The description that better-auth gives of all its routes, and switches off itself. */
export const generator = leftOut;
export const getHTML = leftOut;
