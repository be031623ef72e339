/** How a request to the provider proves who pays. */

/** A secret and the way it is sent. */
export type Credential =
  /** `x-api-key`. */
  | { readonly type: "api_key"; readonly secret: string }
  /** `Authorization: Bearer`. */
  | { readonly type: "auth_token"; readonly secret: string }
  /** A subscription's token: Bearer, and the beta header without which the API refuses it. */
  | { readonly type: "oauth_token"; readonly secret: string };

/** The headers of a credential; null takes away what the SDK would send by itself. */
export const credentialHeaders = ({ type, secret }: Credential): Record<string, string | null> => {
  switch (type) {
    case "api_key":
      return { "x-api-key": secret, authorization: null };
    case "auth_token":
      return { authorization: `Bearer ${secret}` };
    case "oauth_token":
      return { authorization: `Bearer ${secret}`, "anthropic-beta": "oauth-2025-04-20" };
  }
};
