import { usualTls } from "../../../schema/tls.ts";
import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "tls",
  title: "the latest version of TLS, and the shortest chain of certificates",
  changesOf: ({ now: { tls, certificates } }) => [
    ...(tls === usualTls.version
      ? []
      : [{ name: `tls-${usualTls.version}`, title: `use TLS ${usualTls.version}`, values: { tls: usualTls.version } }]),
    ...(certificates === usualTls.certificates
      ? []
      : [
          {
            name: "short-certificates",
            title: "use the shortest chain of certificates: two with elliptic-curve keys",
            values: { certificates: usualTls.certificates },
          },
        ]),
  ],
};
