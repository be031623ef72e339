/**
 * The notification area of a desktop, which a Chromium on Linux shows its notifications in and hears of presses from: a session bus of
 * its own with nobody else on it (Desktop Notifications Specification 1.2, over D-Bus). A press is the browser's own, as a person's
 * would be: only then may a service worker open or focus a window. The DevTools protocol has none.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, encode, type Fields, KINDS, readValues, type Value } from "./dbus-message.ts";

/** The bus itself, and the service behind it. Signals count only when they come from the unique name that owns the service. */
const [BUS, SERVICE, OWNER, CLIENT] = ["org.freedesktop.DBus", "org.freedesktop.Notifications", ":1.0", ":1.1"];

const PATH = "/org/freedesktop/Notifications";

/** What is shown. `title` is what a person reads. */
type ShownNotification = { readonly id: number; readonly title: string };

export type NotificationArea = {
  /** What the browser's environment needs. */
  readonly env: { readonly DBUS_SESSION_BUS_ADDRESS: string };
  /** What is shown now, oldest first. */
  shown(): readonly ShownNotification[];
  /** Presses one; the desktop then takes it away. */
  press(id: number): void;
  close(): Promise<void>;
};

/** Starts it. Nothing that it shows ever goes away by itself. */
export const startNotificationArea = async (): Promise<NotificationArea> => {
  const shown = new Map<number, string>();
  const sockets = new Set<Socket>();
  let lastId = 0;
  let lastSerial = 0;
  const send = (socket: Socket, kind: number, fields: Fields, values: readonly Value[]): void => {
    lastSerial += 1;
    socket.write(encode(kind, lastSerial, fields, values));
  };
  const signal = (member: string, values: readonly Value[]): void => {
    for (const socket of sockets)
      send(socket, KINDS.signal, { path: PATH, interface: SERVICE, member, sender: OWNER }, values);
  };
  const notify = (body: Buffer): readonly Value[] => {
    // The application's name, the id that it replaces, its icon, the title; what follows is not looked at.
    const [, replaced, , title] = readValues(body, "suss");
    lastId += 1;
    const id = Number(replaced) || lastId;
    shown.set(id, String(title));
    return [id];
  };
  /** The answer's values; undefined for what nobody here does. */
  const answer = (member: string, body: Buffer): readonly Value[] | undefined => {
    switch (member) {
      case "Hello":
        return [CLIENT];
      case "NameHasOwner":
        return [readValues(body, "s")[0] === SERVICE];
      case "GetNameOwner":
        return readValues(body, "s")[0] === SERVICE ? [OWNER] : undefined;
      case "AddMatch":
      case "RemoveMatch":
        return [];
      case "GetCapabilities":
        // Without persistence the browser would take a notification back after 25 seconds.
        return [["body", "actions", "persistence"]];
      case "GetServerInformation":
        return ["Tests", "Tally", "1", "1.2"];
      case "Notify":
        return notify(body);
      case "CloseNotification":
        shown.delete(Number(readValues(body, "u")[0]));
        return [];
      default:
        return undefined;
    }
  };
  const take = (socket: Socket, bytes: Buffer): Buffer => {
    const { message, rest } = decode(bytes) ?? {};
    if (message === undefined || rest === undefined) return bytes;
    if (message.kind === KINDS.call) {
      const { member = "", destination } = message.fields;
      const values = answer(member, message.body);
      const fields = { replySerial: message.serial, destination: CLIENT, sender: destination === BUS ? BUS : OWNER };
      if (values) send(socket, KINDS.answer, fields, values);
      else send(socket, KINDS.error, { ...fields, errorName: `${BUS}.Error.ServiceUnknown` }, []);
    }
    return take(socket, rest);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let hasBegun = false;
    let pending: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      // Lines of text come first: whoever can reach the socket may come in.
      for (let end = pending.indexOf("\r\n"); !hasBegun && end >= 0; end = pending.indexOf("\r\n")) {
        const line = pending.toString("utf8", 0, end).replace("\0", "");
        pending = pending.subarray(end + 2);
        if (line === "BEGIN") hasBegun = true;
        else socket.write(line.startsWith("AUTH EXTERNAL") ? `OK ${"0".repeat(32)}\r\n` : "ERROR\r\n");
      }
      if (hasBegun) pending = take(socket, pending);
    });
  });
  const dir = mkdtempSync(join(tmpdir(), "tally-desktop-"));
  server.listen(join(dir, "bus"));
  await once(server, "listening");
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(dir, "bus")}` },
    shown: () => [...shown].map(([id, title]) => ({ id, title })),
    press: (id) => {
      signal("ActionInvoked", [id, "default"]);
      shown.delete(id);
      // 2: dismissed by the person.
      signal("NotificationClosed", [id, 2]);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true });
    },
  };
};
