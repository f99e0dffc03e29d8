/** Finds the congestion controls and TCP settings that this machine's kernel lacks. Hosts in its network namespaces lack them too. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { maxQuickacks, synLinearTimeouts, sysctlNumber } from "../hosts/sysctls.ts";

const controls = ["reno", "cubic", "bbr", "abc0", "abc1", "abc2"];
const wholeKernels = "it is a parameter of the whole machine's kernel; on --clock virtual each lane has its own kernel";
const available = () => readFileSync("/proc/sys/net/ipv4/tcp_available_congestion_control", "utf8").trim().split(" ");

/** Returns, for `cannotSet`, the settings that this kernel cannot provide, and why. */
export function lackingCongestion(): Record<string, string> {
  const lacking = controls.filter((name) => !available().includes(name) && !loads(name));
  const there = available().join(", ");
  const why = `its kernel has only these congestion controls available: ${there}; --clock virtual has ${controls.join(", ")}`;
  return {
    ...Object.fromEntries(
      ["route.server", "background"].flatMap((whose) => lacking.map((name) => [`${whose}.congestion=${name}`, why])),
    ),
    ...(sysctlNumber(maxQuickacks) === null && {
      [`client.sysctls.${maxQuickacks}`]:
        "no Linux kernel has this parameter, except the lab's own kernel for --clock virtual",
    }),
    ...(sysctlNumber(synLinearTimeouts) === null && {
      [`client.sysctls.${synLinearTimeouts}`]:
        "Linux before 6.5 has no such parameter, and always doubles the time-outs of SYNs: leave out the axis synTimeouts",
    }),
    "route.server.hystart": wholeKernels,
    "server.sysctls.module.": wholeKernels,
    "client.sysctls.module.": wholeKernels,
  };
}

/** Tries to load a congestion control's module. Only root can load modules. */
function loads(name: string): boolean {
  try {
    execFileSync("modprobe", [`tcp_${name}`], { stdio: "ignore" });
    return available().includes(name);
  } catch {
    return false;
  }
}
