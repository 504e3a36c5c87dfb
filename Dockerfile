# The version of .nvmrc.
ARG NODE=24
# Debian, not Alpine: the packaged PostgreSQL needs glibc.
FROM node:${NODE}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY schema/package.json schema/
COPY db/package.json db/
COPY server/package.json server/
COPY web/package.json web/
COPY scripts/package.json scripts/
COPY tests/package.json tests/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm run --silent sbom > server/dist/sbom.json && npm ci --omit=dev --no-audit --no-fund --workspace server --workspace db --workspace schema

FROM node:${NODE}-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3080 DATA_DIR=/data CONSOLE_JSON=true
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/db/migrations db/migrations
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/dist/main.js"]
