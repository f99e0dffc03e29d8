# One image for each role, with the Debian packages in the packages.txt files of the role's folders. Layers that rarely change come first,
# so that editing a .ts file reinstalls nothing. `rights` is a copy of setpriv with the capabilities that compose.yml adds to the role.

# The sources of /lab/.lab/kernel/<hash>/linux and /lab/.lab/root/<hash>/image: for each, a stage below, which takes minutes to build, or
# an image with the files of a checkout that has already built them.
ARG KERNEL=kernel-build
ARG ROOT=root-build
# The base of all stages; image.yml pins it by digest.
ARG DEBIAN=debian:trixie-slim

# Debian's npm package would install 350 other packages. So npm is downloaded by corepack, which is part of Debian's nodejs package.
FROM ${DEBIAN} AS modules
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates nodejs \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY package.json package-lock.json .npmrc ./
RUN corepack npm@10.9.4 ci --omit=dev --ignore-scripts --no-audit --no-fund

# Writes a list of packages for each folder. Later stages copy their lists from here, so Docker reinstalls a stage's packages only if its
# list has changed, for example for a new server. Servers that this Debian version lacks are left out.
FROM ${DEBIAN} AS packages
WORKDIR /lab
COPY . .
RUN mkdir /packages /lists && for folder in */; do hosts/packages.sh list "$folder" >"/packages/${folder%/}"; done \
 && find . -name packages.txt -exec cp --parents {} /lists \;

# Builds the servers that LAB_MADE lists, which have no Debian package, with the scripts in their folders. Outside of containers, the lab runs
# the same scripts. Caddy downloads 150 MB of Go modules and takes 3 minutes on 2 cores; quinn takes about as long.
FROM ${DEBIAN} AS programs
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY hosts/packages.sh hosts/kept.sh hosts/debian.sh hosts/compiler.sh hosts/
COPY servers servers
ARG LAB_MADE=
RUN mkdir -p .lab/programs && for name in $LAB_MADE; do servers/"$name"/*.sh || exit; done \
 && rm -rf .lab/programs/*lock /var/lib/apt/lists/*

FROM ${DEBIAN} AS server
COPY --from=packages /packages/servers /tmp/packages/
RUN apt-get update && xargs apt-cache show --no-all-versions </tmp/packages/servers \
  | sed -n 's/^Package: //p' | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=programs /lab/.lab/programs /run/lab/programs
COPY --from=modules /lab/node_modules node_modules
COPY . .

# Leaves out packages that this architecture lacks, such as user-mode-linux.
FROM ${DEBIAN} AS shaper
COPY --from=packages /packages/shaper /tmp/packages/
RUN apt-get update && xargs apt-cache show --no-all-versions </tmp/packages/shaper \
  | sed -n 's/^Package: //p' | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw,cap_sys_nice+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY . .

FROM ${DEBIAN} AS browser
COPY --from=packages /packages/harness /packages/clients /tmp/packages/
RUN apt-get update && cat /tmp/packages/* | xargs apt-get install --yes --no-install-recommends libcap2-bin \
 && rm -rf /var/lib/apt/lists/*

FROM browser AS harness
RUN cp /usr/bin/setpriv /usr/local/bin/rights && setcap cap_net_admin,cap_net_raw,cap_dac_override+ep /usr/local/bin/rights \
 && install -d -o 65534 -g 65534 -m 700 /run/lab/control && install -d -o 65534 -g 65534 /run/lab/state
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY . .
# A run's manifest names the lab's commit, and this image has no git.
ARG LAB_COMMIT=unknown
ENV LAB_COMMIT=$LAB_COMMIT XDG_CACHE_HOME=/run/lab/state/cache

# The queue from which workers take a run's loads (compose.workers.yml).
FROM ${DEBIAN} AS queue
RUN apt-get update && apt-get install --yes --no-install-recommends valkey-server && rm -rf /var/lib/apt/lists/* \
 && install -d -o 65534 -g 65534 /data
USER 65534:65534
ENTRYPOINT ["valkey-server"]
CMD ["--dir", "/data", "--appendonly", "yes", "--appendfsync", "always"]

# compose.yml does not use the stages below. They build an image of the whole lab, which needs only one container without privileges.
#   docker build --target virtual -t pageload-lab-virtual .     (with Caddy and quinn: --build-arg LAB_MADE="caddy quinn")
#   docker run --rm -v "$PWD/results:/lab/results" pageload-lab-virtual
#   docker run --rm -v "$PWD:/work" -w /work pageload-lab-virtual gate dist

# The kernel of the virtual clock. Compiling it takes 3 minutes on 2 cores.
FROM ${DEBIAN} AS kernel-build
WORKDIR /lab
COPY hosts/packages.sh hosts/kept.sh hosts/debian.sh hosts/
COPY substrate/guest/kernel/packages.txt substrate/guest/kernel/config substrate/guest/kernel/changes.patch substrate/guest/kernel/build.sh substrate/guest/kernel/
RUN apt-get update && substrate/guest/kernel/build.sh && rm -rf .lab/kernel/build.log .lab/kernel/lock /var/lib/apt/lists/*

FROM ${KERNEL} AS kernel

# The guests' root image, with all programs that run in guests. It is the same everywhere (substrate/guest/root/build.sh).
FROM ${DEBIAN} AS root-build
WORKDIR /lab
COPY --from=packages /lists .
COPY hosts/packages.sh hosts/debian.sh hosts/
COPY substrate/guest/root substrate/guest/root
RUN apt-get update && HOME= substrate/guest/root/build.sh && rm -rf .lab/root/build.log .lab/root/lock /var/lib/apt/lists/*

FROM ${ROOT} AS root

FROM ${DEBIAN} AS virtual
RUN apt-get update && apt-get install --yes --no-install-recommends nodejs && rm -rf /var/lib/apt/lists/*
WORKDIR /lab
COPY --from=modules /lab/node_modules node_modules
COPY --from=kernel /lab/.lab/kernel .lab/kernel
COPY --from=root /lab/.lab/root .lab/root
COPY --from=programs /lab/.lab/programs .lab/programs
COPY . .
# Certificates and pages are part of the image, so that each container starts at once and has the same ones. The container's user writes
# all other files, such as the pages that are passed to ./lab gate.
RUN ln -s /lab/substrate/in-image.sh /usr/local/bin/lab && mkdir -p .lab/state results && node --import tsx servers/setup.ts .lab/state \
 && mkdir -p .lab/state/site/imported && chmod -R a+rX .lab/state && chmod 1777 .lab .lab/state/site/imported results
ARG LAB_COMMIT=unknown
ENV LAB_COMMIT=$LAB_COMMIT XDG_CACHE_HOME=/tmp
USER 1000:1000
ENTRYPOINT ["lab"]
CMD ["run", "--clock", "virtual"]
