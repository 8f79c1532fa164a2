FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs scripts/build-web.mjs scripts/build-routes.mjs scripts/changed-at.mjs scripts/client-routes.ts scripts/page-views.ts ./scripts/
COPY web ./web
COPY src ./src
COPY packages/client/src ./packages/client/src
COPY packages/sim ./packages/sim
RUN npm run build
# What runs, with the optional packages that a server wants, at the versions of the lock file.
RUN mv dist /dist && rm -rf node_modules src web packages scripts && node -e "\
  const { devDependencies, peerDependencies, overrides, ...pkg } = require('./package.json'); \
  for (const name of ['chdb', 'ccxt', 'secp256k1']) pkg.dependencies[name] = devDependencies[name]; \
  require('fs').writeFileSync('package.json', JSON.stringify(pkg));" \
  && npm install --ignore-scripts --no-audit --no-fund && mv /dist dist
COPY bin ./bin
RUN bin/perpmeter --version

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8402 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8402
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/perpmeter"]
CMD ["serve"]
