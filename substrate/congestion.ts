/** Which congestion controls this kernel has, and what of TCP it cannot be told: hosts in its namespaces have no others. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { maxQuickacks, readMaxQuickacks } from "../hosts/quickacks.ts";

const controls = ["reno", "cubic", "bbr", "abc0", "abc1", "abc2"];
const available = () => readFileSync("/proc/sys/net/ipv4/tcp_available_congestion_control", "utf8").trim().split(" ");

/** For `cannotSet`: the settings that this kernel cannot provide, and why. */
export function lackingCongestion(): Record<string, string> {
  const lacking = controls.filter((name) => !available().includes(name) && !loads(name));
  const there = available().join(", ");
  const why = `its kernel has ${there}; --clock virtual has ${controls.join(", ")}`;
  return {
    ...Object.fromEntries(lacking.map((name) => [`route.server.congestion=${name}`, why])),
    ...(readMaxQuickacks() === null && {
      [`client.sysctls.${maxQuickacks}`]:
        "its kernel has no such parameter, as no Linux has; --clock virtual has one that was made for the lab",
    }),
    "route.server.hystart": "it is a parameter of the whole machine's kernel; --clock virtual has a kernel a lane",
  };
}

/** Root may load a module; an ordinary user has only those that are loaded. */
function loads(name: string): boolean {
  try {
    execFileSync("modprobe", [`tcp_${name}`], { stdio: "ignore" });
    return available().includes(name);
  } catch {
    return false;
  }
}
