#!/usr/bin/env bash
# A NATS server and three workers on this machine, and a hunt through every example on them. Everything ends with the script.
set -euo pipefail
cd "$(dirname "$0")/.."
twinrun=$PWD/target/debug/twinrun
folder=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }

say "a NATS server on loopback"
nats-server -a 127.0.0.1 -p -1 -js -sd "$folder/storage" --ports_file_dir "$folder" >"$folder/nats.log" 2>&1 &
pids+=($!)
for _ in $(seq 200); do
    url=$(grep -oh 'nats://127.0.0.1:[0-9]*' "$folder"/*.ports 2>/dev/null | head -1 || true)
    [ -n "$url" ] && break
    sleep 0.1
done
[ -n "${url:-}" ] || { cat "$folder/nats.log" >&2; exit 3; }

say "three workers at $url"
for number in 1 2 3; do
    "$twinrun" worker --nats "$url" --name "worker-$number" --jobs 1 --allow-commands --folder "$folder/worker-$number" &
    pids+=($!)
done

say "a hunt through every example"
for example in examples/*/; do
    [ -e "$example/twinrun.toml" ] || continue
    cp -r "$example" "$folder/project"
    status=0
    "$twinrun" hunt --project "$folder/project" --nats "$url" --cases 2000 --quiet >"$folder/report.txt" 2>&1 || status=$?
    printf '%-12s exit %s  %s\n' "$(basename "$example")" "$status" "$(grep -m1 -iE 'violated|holds|crashed' "$folder/report.txt" || head -1 "$folder/report.txt")"
    rm -rf "$folder/project"
done
say "what the cluster did"
"$twinrun" cluster status --nats "$url"
