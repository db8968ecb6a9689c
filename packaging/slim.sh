#!/bin/sh
# slim.sh NODE_MODULES: removes what a running server never reads: types, source maps, texts, headers, peers of other frameworks.
set -eu
cd "$1"
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' \) -delete
rm -rf node-linux-*/include node-linux-*/share
# What made the bundle of the server.
rm -rf rolldown @rolldown
# better-auth names them as peers of its clients in browsers; typescript is one of a type provider.
rm -rf typescript @typescript react react-dom scheduler vue @vue @babel
# The names of brands are taken out of these when the pages are built; of the other package one list is read.
rm -rf name-suggestion-index simple-icons third-party-web/.yarn third-party-web/dist/domain-map.csv
# lmdb brings a build for each version of Node's module interface; the server runs on one Node.
find @lmdb -name '*musl*' -delete
! command -v strip >/dev/null || strip node-linux-*/bin/node
