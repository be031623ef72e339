/**
 * Replaces what better-auth signs and encrypts tokens with, in the deployed Worker (wrangler.toml, `[alias]`): tokens of other sites,
 * links in mails, and cookies that are JWTs. Here a cookie is signed with HMAC (`session.cookieCache` has its default form) and codes are
 * stored hashed, so none of this is called. Everything here fails if it is used after all.
 */

/** @throws always. */
const leftOut = (): never => {
  throw new Error("Tokens of better-auth are left out of the deployed Worker.");
};

export const base64url = { encode: leftOut, decode: leftOut };
export const calculateJwkThumbprint = leftOut;
export const createLocalJWKSet = leftOut;
export const createRemoteJWKSet = leftOut;
export const customFetch = Symbol("left out");
export const decodeProtectedHeader = leftOut;
export const EncryptJWT = leftOut;
export const errors = {};
export const importJWK = leftOut;
export const importPKCS8 = leftOut;
export const jwtDecrypt = leftOut;
export const jwtVerify = leftOut;
export const SignJWT = leftOut;
export const UnsecuredJWT = leftOut;

export const bytesToHex = leftOut;
export const hexToBytes = leftOut;
export const hkdf = leftOut;
export const managedNonce = leftOut;
export const sha256 = leftOut;
export const utf8ToBytes = leftOut;
export const xchacha20poly1305 = leftOut;
