/** Messages of D-Bus as bytes, as far as a desktop's notification area needs them: little-endian, and four types of values. */

/** Kinds of messages (D-Bus Specification, "Message Format"). */
export const KINDS = { call: 1, answer: 2, error: 3, signal: 4 } as const;

/** A value of a message's body: string, uint32, boolean or array of strings. */
export type Value = string | number | boolean | readonly string[];

/** Numbers of the header's fields. */
const FIELDS = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
} as const;

/** What a header can say, by name. */
export type Fields = { readonly [Name in keyof typeof FIELDS]?: Name extends "replySerial" ? number : string };

type Message = { readonly kind: number; readonly serial: number; readonly fields: Fields; readonly body: Buffer };

/** Lengths before the fields: endianness, kind, flags, version, the body's length, the serial, the fields' length. */
const HEAD_BYTES = 16;

const aligned = (at: number, to: number): number => Math.ceil(at / to) * to;

const padded = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length, to) - bytes.length)]);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const text = (value: string): Buffer => Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(`${value}\0`)]);

const typeOf = (value: Value): string =>
  typeof value === "string" ? "s" : typeof value === "number" ? "u" : typeof value === "boolean" ? "b" : "as";

/** Appends one value where its type may begin. */
const append = (bytes: Buffer, value: Value): Buffer => {
  const start = padded(bytes, 4);
  if (typeof value === "string") return Buffer.concat([start, text(value)]);
  if (typeof value !== "object") return Buffer.concat([start, uint32(Number(value))]);
  const items = value.reduce<Buffer>((all, item) => append(all, item), Buffer.alloc(0));
  return Buffer.concat([start, uint32(items.length), items]);
};

const appendField = (bytes: Buffer, code: number, value: string | number): Buffer => {
  const type = code === FIELDS.path ? "o" : code === FIELDS.signature ? "g" : typeof value === "number" ? "u" : "s";
  const start = Buffer.concat([padded(bytes, 8), Buffer.from([code, 1]), Buffer.from(`${type}\0`)]);
  // A signature's length is one byte.
  return type === "g"
    ? Buffer.concat([start, Buffer.from([String(value).length]), Buffer.from(`${value}\0`)])
    : append(start, value);
};

/** The bytes of a message. */
export const encode = (kind: number, serial: number, fields: Fields, values: readonly Value[]): Buffer => {
  const body = values.reduce<Buffer>(append, Buffer.alloc(0));
  const signature = values.map(typeOf).join("");
  const all = { ...fields, ...(signature && { signature }) };
  const coded = Object.entries(all).reduce<Buffer>(
    (bytes, [name, value]) => appendField(bytes, FIELDS[name as keyof Fields], value),
    Buffer.alloc(0),
  );
  const head = Buffer.concat([Buffer.from(["l".charCodeAt(0), kind, 0, 1]), uint32(body.length), uint32(serial)]);
  return Buffer.concat([padded(Buffer.concat([head, uint32(coded.length), coded]), 8), body]);
};

/** The first message of `bytes` and what follows it; undefined while it is not whole. */
export const decode = (bytes: Buffer): { readonly message: Message; readonly rest: Buffer } | undefined => {
  if (bytes.length < HEAD_BYTES) return undefined;
  const fieldsEnd = HEAD_BYTES + bytes.readUInt32LE(12);
  const bodyStart = aligned(fieldsEnd, 8);
  const end = bodyStart + bytes.readUInt32LE(4);
  if (bytes.length < end) return undefined;
  const fields: Record<string, string | number> = {};
  const names = new Map<number, string>(Object.entries(FIELDS).map(([name, code]) => [code, name]));
  for (let at = HEAD_BYTES; at < fieldsEnd; ) {
    at = aligned(at, 8);
    const [name, type] = [names.get(bytes.readUInt8(at)), String.fromCharCode(bytes.readUInt8(at + 2))];
    const isShort = type === "g";
    const [number, start] = isShort ? [bytes.readUInt8(at + 4), at + 5] : [bytes.readUInt32LE(at + 4), at + 8];
    const value = type === "u" ? number : bytes.toString("utf8", start, start + number);
    // Others, such as how many files come with it, are of no use here.
    if (name !== undefined) fields[name] = value;
    at = type === "u" ? start : start + number + 1;
  }
  const message = { kind: bytes.readUInt8(1), serial: bytes.readUInt32LE(8), fields };
  return { message: { ...message, body: bytes.subarray(bodyStart, end) }, rest: bytes.subarray(end) };
};

/** Reads a body's first values, which are strings and uint32s as `types` says. */
export const readValues = (body: Buffer, types: string): (string | number)[] => {
  let at = 0;
  return [...types].map((type) => {
    at = aligned(at, 4);
    const number = body.readUInt32LE(at);
    at += 4;
    if (type === "u") return number;
    at += number + 1;
    return body.toString("utf8", at - number - 1, at - 1);
  });
};
