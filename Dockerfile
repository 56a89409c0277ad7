# The command line, for the home of a node that is mounted at /node:
#   docker build -t merostore .
#   docker run --rm -v /path/to/home:/node:ro merostore status
# A container without a command shows what the node writes, and is unhealthy while verify finds an error.
FROM node:24-slim AS build
WORKDIR /merostore
COPY . .
RUN npm ci && npm pack --pack-destination /tmp && mv /tmp/merostore-*.tgz /tmp/merostore.tgz

FROM node:24-slim
COPY --from=build /tmp/merostore.tgz /tmp/merostore.tgz
RUN npm install -g /tmp/merostore.tgz && rm /tmp/merostore.tgz
USER node
ENV MEROSTORE_DB=/node
HEALTHCHECK --interval=10m --timeout=5m CMD ["merostore", "verify", "--quiet"]
ENTRYPOINT ["merostore"]
CMD ["watch"]
