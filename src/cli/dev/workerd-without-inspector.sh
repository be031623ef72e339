#!/bin/sh
# Runs workerd without the inspector that miniflare always asks for under `wrangler dev`, on a port that any page could open a WebSocket
# to: it got every line of the log and answers of the debugger's protocol. Miniflare waits to be told the inspector's port, so it is told
# one. The program to run is in TALLY_WORKERD.
for argument do
  shift
  case $argument in
    --inspector-addr=*) printf '{"event":"listen-inspector","port":1}\n' >&3 ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$TALLY_WORKERD" "$@"
