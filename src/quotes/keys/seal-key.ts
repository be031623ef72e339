/**
 * A person's key at rest: AES-256-GCM under a key derived from the Worker's secret. It is bound to its owner: moved to another row, it does
 * not open. With another secret nothing opens, and the app asks for the key again (decision 0104).
 */
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";

/** Bytes of the nonce, new for every key: what AES-GCM is defined for. */
const NONCE_BYTES = 12;

const encoder = new TextEncoder();

const deriveKey = async (secret: string): Promise<CryptoKey> => {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("tally quotes key") };
  return await crypto.subtle.deriveKey(hkdf, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
};

/** The key, encrypted: nonce and ciphertext as base64url. */
export const sealKey = async (secret: string, owner: string, key: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(owner) };
  const sealed = await crypto.subtle.encrypt(algorithm, await deriveKey(secret), encoder.encode(key));
  return encodeBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]).buffer);
};

/** The key; undefined when it was encrypted with another secret, or for somebody else. */
export const openKey = async (secret: string, owner: string, sealed: string): Promise<string | undefined> => {
  try {
    const bytes = decodeBase64Url(sealed);
    const algorithm = { name: "AES-GCM", iv: bytes.slice(0, NONCE_BYTES), additionalData: encoder.encode(owner) };
    const opened = await crypto.subtle.decrypt(algorithm, await deriveKey(secret), bytes.slice(NONCE_BYTES));
    return new TextDecoder().decode(opened);
  } catch {
    // The error says only that the key does not open.
    return undefined;
  }
};
