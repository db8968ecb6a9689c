# docker build -t mainstay .          The bases are arguments, so that a mirror, or a base of one's own, can stand in for them.
ARG NODE_IMAGE=node:26-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

# The bundle of the server, the dashboard and the manual, with what it takes to build them.
FROM ${NODE_IMAGE} AS pages
WORKDIR /mainstay
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY config/package.json config/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY manual/package.json manual/
RUN npm ci --omit=dev
COPY . .
RUN npm run build && touch server/dist/.final && node packaging/licenses.js . > THIRD-PARTY-LICENSES

# The packages that stand beside the bundle, without what a running server never reads.
FROM ${NODE_IMAGE} AS packages
WORKDIR /mainstay
COPY --from=pages /mainstay/package.json /mainstay/package-lock.json /mainstay/.npmrc ./
COPY --from=pages /mainstay/server/package.json server/
COPY --from=pages /mainstay/sdk/package.json sdk/
COPY --from=pages /mainstay/config/package.json config/
COPY --from=pages /mainstay/cli/package.json cli/
COPY --from=pages /mainstay/dashboard/package.json dashboard/
COPY --from=pages /mainstay/manual/package.json manual/
# npm makes no link to a program that is not there.
COPY server/bin server/bin
COPY server/outside.json server/
COPY packaging/slim.js packaging/
# binutils has strip, which makes Node 20 MB smaller.
RUN apt-get update && apt-get install -y --no-install-recommends binutils \
 && npm ci --omit=dev --workspace server --include-workspace-root && node packaging/slim.js .

FROM ${BASE_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates libatomic1 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --system --uid 10001 --home-dir /data --no-create-home mainstay \
 && install -d -o mainstay -g mainstay -m 700 /data
WORKDIR /mainstay
COPY --from=packages /mainstay/node_modules node_modules
COPY package.json openapi.json LICENSE NOTICE ./
COPY --from=pages /mainstay/THIRD-PARTY-LICENSES ./
COPY server server
COPY --from=pages /mainstay/server/dist server/dist
COPY config config
COPY --from=pages /mainstay/server/areas/web-reputation/brands/dist server/areas/web-reputation/brands/dist
COPY --from=pages /mainstay/dashboard/dist dashboard/dist
COPY --from=pages /mainstay/manual/dist manual/dist
ENV NODE_ENV=production \
    PATH=/mainstay/node_modules/.bin:$PATH \
    MAINSTAY_DATA_DIR=/data \
    MAINSTAY_HOST=0.0.0.0 \
    MAINSTAY_FILES_HOST=0.0.0.0 \
    MAINSTAY_S3_HOST=0.0.0.0 \
    MAINSTAY_GATEWAY_HOST=0.0.0.0
USER mainstay
VOLUME /data
# The API and the dashboard; stored files; S3 without a base path; applications. The admin port (4001) stays on the loopback address.
EXPOSE 4000 4002 4003 4080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4001/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "mainstay-server"]
CMD ["serve"]
