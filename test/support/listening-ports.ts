/** Which ports the processes of a group listen on; Linux, by /proc. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { listProcesses } from "../../src/process/process-group.ts";

/** State LISTEN in /proc/net/tcp. */
const LISTEN = "0A";

/** TCP ports of 127.0.0.1 and of all addresses, in no order. */
export const listeningPorts = (groupId: number): number[] => {
  const own = new Set(
    listProcesses()
      .filter((one) => one.groupId === groupId)
      .flatMap(({ pid }) => socketsOf(pid)),
  );
  // A machine without IPv6 has only the first.
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter((table) => existsSync(table))
    .flatMap((table) => readFileSync(table, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && own.has(fields[9] ?? ""))
    .map((fields) => Number.parseInt(fields[1]?.split(":")[1] ?? "", 16));
};

/** Inodes of the sockets that a process holds. */
const socketsOf = (pid: number): string[] =>
  descriptorsOf(pid).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? [];
    } catch {
      // Closed between the listing and the look.
      return [];
    }
  });

const descriptorsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    // It ended between the listing and the look.
    return [];
  }
};
