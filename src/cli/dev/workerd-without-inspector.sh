#!/bin/sh
# Runs workerd without the inspector that miniflare always asks for under `wrangler dev`. Any page could open a WebSocket to the
# inspector's port, and got every line of the log and answers of the debugger's protocol. Miniflare waits to be told the inspector's port,
# so this script tells it one. The program to run is in TALLY_WORKERD.
for argument do
  shift
  case $argument in
    --inspector-addr=*) printf '{"event":"listen-inspector","port":1}\n' >&3 ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$TALLY_WORKERD" "$@"
