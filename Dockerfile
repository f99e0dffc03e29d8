# One image a role, each with the Debian packages of its packages.txt. In the order of how seldom things change: editing
# a .ts file installs nothing again. `rights` is setpriv with the capabilities that compose.yml adds to the role.

# Debian's npm brings 350 packages; its nodejs ships corepack, which fetches npm alone.
FROM debian:trixie-slim AS modules
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates nodejs \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY package.json package-lock.json .npmrc ./
RUN corepack npm@10.9.4 ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM debian:trixie-slim AS server
COPY servers/packages.txt /tmp/
RUN apt-get update && grep -v '^#' /tmp/packages.txt | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY . .

# What apt does not know on this architecture is left out: user-mode-linux.
FROM debian:trixie-slim AS shaper
COPY shaper/packages.txt /tmp/
RUN apt-get update && grep -v '^#' /tmp/packages.txt | xargs apt-cache show --no-all-versions \
  | sed -n 's/^Package: //p' | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY . .

# The kernel of the virtual clock: /lab/.lab/kernel/<hash>/linux. No service of compose.yml needs it.
FROM debian:trixie-slim AS kernel
COPY kernel/packages.txt /tmp/
RUN apt-get update && grep -v '^#' /tmp/packages.txt | xargs apt-get install --yes --no-install-recommends \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY kernel/packages.txt kernel/config kernel/changes.patch kernel/build.sh kernel/
RUN kernel/build.sh

FROM debian:trixie-slim AS harness
COPY harness/packages.txt /tmp/
RUN apt-get update && grep -v '^#' /tmp/packages.txt | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw,cap_dac_override+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY . .
# A run's manifest names it; there is no git in here to ask.
ARG LAB_COMMIT=unknown
ENV LAB_COMMIT=$LAB_COMMIT
